"""The scene as a binary glTF file (.glb): bodies, joints and forces as named nodes, as they move.

A .glb is a header, a piece of JSON and a piece of binary data. glTF is in metres with y up, so the
root of a spatial model turns z up into y up.
"""

import json
import struct
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy

from gui.look.colors import rgb
from gui.stages.space.animation import Track, Tracks, matrix_of, taken_apart

MAGIC, VERSION, JSON, BIN = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
FLOAT, UINT, UBYTE = 5126, 5125, 5121
Z_UP = [-0.7071067811865476, 0.0, 0.0, 0.7071067811865476]  # a quarter turn about x, as x y z w


class _Writer:
    """The lists of a glTF document, and its binary data."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.meshes: list[dict[str, Any]] = []
        self.materials: list[dict[str, Any]] = []
        self.samplers: list[dict[str, Any]] = []
        self.channels: list[dict[str, Any]] = []
        self.clock: int | None = None  # the accessor of the times of the run
        self.nodes: list[dict[str, Any]] = [{"name": "model", "children": []}]

    def accessor(self, array: np.ndarray, kind: str, code: int, **more: Any) -> int:
        """Append an array; its number."""
        raw = np.ascontiguousarray(array).tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw)})
        self.data += raw + bytes(-len(raw) % 4)
        entry = {"bufferView": len(self.views) - 1, "componentType": code, "type": kind, **more}
        self.accessors.append({**entry, "count": len(array)})
        return len(self.accessors) - 1

    def mesh(self, data: Any, color: tuple[float, ...]) -> int | None:
        """Append the triangles of a VTK data set; its number, or None if it has no triangles."""
        if not data.GetNumberOfPolys():
            return None
        points = vtk_to_numpy(data.GetPoints().GetData()).astype("<f4")
        low, high = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        normals = vtk_to_numpy(data.GetPointData().GetNormals()).astype("<f4")
        places = {
            "POSITION": self.accessor(points, "VEC3", FLOAT, min=low, max=high),
            "NORMAL": self.accessor(normals, "VEC3", FLOAT),
        }
        shades = data.GetPointData().GetScalars()
        if shades is not None:
            bytes_ = np.full((len(points), 4), 255, dtype=np.uint8)
            bytes_[:, :3] = vtk_to_numpy(shades)
            places["COLOR_0"] = self.accessor(bytes_, "VEC4", UBYTE, normalized=True)
            color = (1.0, 1.0, 1.0)
        corners = vtk_to_numpy(data.GetPolys().GetConnectivityArray()).astype("<u4")
        part = {
            "attributes": places,
            "indices": self.accessor(corners, "SCALAR", UINT),
            "material": self.material(color),
        }
        self.meshes.append({"primitives": [part]})
        return len(self.meshes) - 1

    def material(self, color: tuple[float, ...]) -> int:
        """Append a matt surface of a colour, once; its number."""
        look = {"baseColorFactor": [*color, 1.0], "metallicFactor": 0.1, "roughnessFactor": 0.7}
        entry = {"pbrMetallicRoughness": look, "doubleSided": True}
        if entry not in self.materials:
            self.materials.append(entry)
        return self.materials.index(entry)

    def node(self, parent: int, **fields: Any) -> int:
        """Append a node below another; its number."""
        self.nodes.append(fields)
        number = len(self.nodes) - 1
        self.nodes[parent].setdefault("children", []).append(number)
        return number

    def animate(self, node: int, t: np.ndarray, track: Track) -> None:
        """Let a node follow a track; glTF writes a quaternion as x y z w."""
        seconds = t.astype("<f4")
        if self.clock is None:
            ends = {"min": [float(seconds[0])], "max": [float(seconds[-1])]}
            self.clock = self.accessor(seconds, "SCALAR", FLOAT, **ends)
        for path, kind, values in (
            ("translation", "VEC3", track.place),
            ("rotation", "VEC4", np.roll(track.turn, -1, axis=1)),
            ("scale", "VEC3", track.size),
        ):
            if path != "rotation" and np.ptp(values, axis=0).max() == 0.0:
                continue  # the node itself says it
            output = self.accessor(values.astype("<f4"), kind, FLOAT)
            sampler = {"input": self.clock, "output": output, "interpolation": "LINEAR"}
            self.samplers.append(sampler)
            target = {"node": node, "path": path}
            self.channels.append({"sampler": len(self.samplers) - 1, "target": target})

    def written(self) -> bytes:
        """The whole file."""
        moving = {"name": "run", "samplers": self.samplers, "channels": self.channels}
        document = {
            "asset": {"version": "2.0", "generator": "Kardan"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": self.nodes,
            "meshes": self.meshes,
            "materials": self.materials,
            "animations": [moving] if self.channels else [],
            "accessors": self.accessors,
            "bufferViews": self.views,
            "buffers": [{"byteLength": len(self.data)}],
        }
        filled = {k: v for k, v in document.items() if v or k == "scene"}  # no empty lists in glTF
        if not self.data:
            del filled["buffers"]
        text = json.dumps(filled, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        parts = [(JSON, text)] + ([(BIN, bytes(self.data))] if self.data else [])
        length = 12 + sum(8 + len(part) for _, part in parts)
        head = struct.pack("<III", MAGIC, VERSION, length)
        return head + b"".join(struct.pack("<II", len(p), kind) + p for kind, p in parts)


def glb_of(scene: Any, tracks: Tracks | None = None) -> bytes:
    """The scene in its pose as the content of a .glb file; hidden elements are left out.

    With the tracks of a run it moves: a node that moves has place, turn and size, because an animation
    cannot change a matrix.
    """
    writer = _Writer()
    writer.nodes[0]["name"] = scene.model.name or "model"
    if scene.model.dim == 3:
        writer.nodes[0]["rotation"] = Z_UP
    for id, graphic in scene.graphics.items():
        if id in scene.hidden:
            continue
        element = scene.model[id]
        family = {"id": id, "kind": element.kind}
        group = writer.node(0, name=element.label, extras=family)
        for actor in graphic.actors:
            looks = {look: shade(own) for look, own, shade in graphic.solids}
            color = looks.get(actor.GetProperty(), rgb("#808080"))
            mesh = writer.mesh(actor.GetMapper().GetInput(), color)
            track = tracks.of.get(actor) if tracks is not None else None
            if mesh is not None and tracks is not None and track is not None:
                now = taken_apart(matrix_of(actor)[None])
                assert now is not None, "it could be taken apart at all times of the run"
                writer.animate(writer.node(group, mesh=mesh, **_pose(now)), tracks.t, track)
            elif mesh is not None:
                writer.node(group, mesh=mesh, matrix=matrix_of(actor).T.reshape(16).tolist())
    return writer.written()


def _pose(track: Track) -> dict[str, list[float]]:
    """The first place, turn and size of a track as the fields of a node."""
    return {
        "translation": track.place[0].tolist(),
        "rotation": np.roll(track.turn[0], -1).tolist(),
        "scale": track.size[0].tolist(),
    }
