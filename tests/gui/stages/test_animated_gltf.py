"""The animated glTF file of a run, checked by the rules of glTF 2.0 and against the run itself."""

import json
import struct
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest

from assets.make_examples import EXAMPLES, model_of
from engine.running.simulate import run
from gui.stages.space.animation import taken_apart
from rotations import quaternion
from tests.gui.space_hand import SpaceHand, pendulum

WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}
TYPES = {5126: "<f4", 5125: "<u4", 5121: "<u1"}


def read(content):
    """The document and all its accessors as arrays; the container and every bound is checked."""
    magic, version, length = struct.unpack_from("<III", content)
    assert (magic, version, length) == (0x46546C67, 2, len(content))
    size, kind = struct.unpack_from("<II", content, 12)
    assert kind == 0x4E4F534A and size % 4 == 0
    document = json.loads(content[20 : 20 + size])
    n_bytes, kind = struct.unpack_from("<II", content, 20 + size)
    assert kind == 0x004E4942 and n_bytes % 4 == 0
    data = content[28 + size :]
    assert len(data) == n_bytes and document["buffers"][0]["byteLength"] <= n_bytes
    arrays = []
    for accessor in document["accessors"]:
        view = document["bufferViews"][accessor["bufferView"]]
        element = np.dtype(TYPES[accessor["componentType"]])
        width = WIDTH[accessor["type"]]
        assert view["byteOffset"] % element.itemsize == 0
        assert view["byteOffset"] + view["byteLength"] <= document["buffers"][0]["byteLength"]
        assert accessor["count"] * width * element.itemsize <= view["byteLength"]
        found = np.frombuffer(data, element, accessor["count"] * width, view["byteOffset"])
        found = found.reshape(-1, width)
        assert np.isfinite(found).all()
        for bound, reduce in (("min", np.min), ("max", np.max)):
            if bound in accessor:
                assert reduce(found, axis=0).tolist() == pytest.approx(accessor[bound], rel=1e-6)
        arrays.append(found)
    return document, arrays


def check_animation(document, arrays):
    """Raise unless the animation keeps the rules of glTF 2.0."""
    (animation,) = document["animations"]
    seen = set()
    for channel in animation["channels"]:
        node, path = channel["target"]["node"], channel["target"]["path"]
        assert path in ("translation", "rotation", "scale") and (node, path) not in seen
        seen.add((node, path))
        assert "matrix" not in document["nodes"][node]  # it could not be animated
        sampler = animation["samplers"][channel["sampler"]]
        clock, output = document["accessors"][sampler["input"]], arrays[sampler["output"]]
        assert sampler["interpolation"] == "LINEAR" and clock["type"] == "SCALAR"
        assert "min" in clock and "max" in clock  # required of times
        t = arrays[sampler["input"]][:, 0]
        assert t[0] >= 0.0 and (np.diff(t) > 0.0).all() and len(t) == len(output)
        assert document["accessors"][sampler["output"]]["type"] == (
            "VEC4" if path == "rotation" else "VEC3"
        )
        if path == "rotation":
            assert np.linalg.norm(output, axis=1) == pytest.approx(1.0, abs=1e-6)  # of float32
            assert ((output[1:] * output[:-1]).sum(axis=1) > 0.0).all()  # no sign jumps
    return animation


@pytest.mark.parametrize("name", ["spatial_slider_crank", "spinning_top"])
def test_the_animation_is_valid_and_moves_as_the_run_does(qtbot, name):
    model = model_of(EXAMPLES[name])
    hand = SpaceHand(qtbot, model)
    results = run(hand.document.model, t_end=0.3)
    hand.playback.start(results, None)
    hand.playback.set_time(0.1)
    document, arrays = read(hand.view.glb())
    animation = check_animation(document, arrays)
    body = results.compiled.body_ids[0]
    names = [node.get("name") for node in document["nodes"]]
    group = document["nodes"][names.index(model[body].label)]
    tracks = {
        channel["target"]["path"]: animation["samplers"][channel["sampler"]]
        for channel in animation["channels"]
        if channel["target"]["node"] == group["children"][0]
    }
    t = arrays[tracks["rotation"]["input"]][:, 0]
    turns = np.roll(arrays[tracks["rotation"]["output"]].astype(float), 1, axis=1)
    placement = hand.view.scene.placement
    k = placement.body_index[body]
    for n in (0, len(t) // 2, len(t) - 1):
        frames = placement.frames_of(results, float(t[n]))
        R = quaternion.matrix(turns[n])
        assert pytest.approx(frames.R[k], abs=1e-5) == R  # times and numbers are float32
    assert t[0] == 0.0 and t[-1] == pytest.approx(0.3)
    # the scene is where the clock is
    now = placement.frames_of(results, 0.1)
    assert np.allclose(placement.frames.R, now.R)


def test_a_scene_without_a_run_stands_still(qtbot):
    hand = SpaceHand(qtbot, model_of(EXAMPLES["spinning_top"]))
    document, _ = read(hand.view.glb())
    assert "animations" not in document


def test_matrices_are_taken_apart_and_put_together_again():
    rng = np.random.default_rng(3)
    q = quaternion.continuous(quaternion.normalise(rng.normal(size=(20, 4))))
    size = rng.uniform(0.2, 3.0, (20, 3)) * [-1.0, 1.0, 1.0]
    stack = np.tile(np.eye(4), (20, 1, 1))
    stack[:, :3, :3] = quaternion.matrix(q) * size[:, None, :]
    stack[:, :3, 3] = rng.normal(size=(20, 3))
    track = taken_apart(stack)
    again = quaternion.matrix(track.turn) * track.size[:, None, :]
    assert np.allclose(again, stack[:, :3, :3], atol=1e-12)
    assert np.array_equal(track.place, stack[:, :3, 3])
    stack[:, 0, 1] += 0.5  # sheared: no product of a turn and sizes
    assert taken_apart(stack) is None


def test_hostile_names_stay_names(qtbot):
    name = "</script><img src='file:///etc/hostname'>\"%s{0}\n\u2028\U0001f600\\"
    model = pendulum()
    named = {id: replace(e, name=f"{name}{id}") for id, e in model.elements.items()}
    hand = SpaceHand(qtbot, replace(model, elements=MappingProxyType(named), name=name))
    results = run(hand.document.model)
    for content in (hand.view.glb(), (hand.playback.start(results, None), hand.view.glb())[1]):
        document, _ = read(content)
        groups = {
            node["extras"]["id"]: node["name"] for node in document["nodes"] if "extras" in node
        }
        assert document["nodes"][0]["name"] == name and "rod" in groups
        assert groups == {id: f"{name}{id}" for id in groups}
        assert not {"images", "extensionsUsed"} & set(document)  # nothing that a reader would fetch
        assert all("uri" not in buffer for buffer in document["buffers"])
