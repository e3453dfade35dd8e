"""Writes a model that is a tree of rigid bodies as URDF or MJCF.

URDF has hinges, slides, welds and free bodies, and knows neither gravity nor a start; MJCF has balls,
crosses and several slides in one joint too, gravity, and the drawn start as a keyframe called "start".
Forces other than viscous resistance and stops of joints are not written, and are named.
"""

from collections.abc import Iterator
from functools import partial
from math import atan2, hypot
from pathlib import Path
from typing import IO, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from engine.editing.robots.links import Link, Links, Look, links_of
from engine.errors import EngineError, say
from engine.files.atomic import replace_file
from engine.kernels.trees.layout import BALL, CROSS, HINGE, RIGID
from engine.model.elements import Model
from engine.model.fields import Number, plain
from engine.model.shapes import Box, Cylinder, Disc, Mesh, Rod, Sphere
from rotations import quaternion

WRITTEN = ("joint_limits", "joint_damping")  # forces that the files can hold
UPPER = [(m, n, "xyz"[m], "xyz"[n]) for m in range(3) for n in range(m, 3)]
THIN = 1e-3  # m of what is drawn without width: no other program shows it
STRONG = 1e3  # [N, N m] and [m/s, rad/s] of a joint in URDF, which asks for them


def write_robot(model: Model, path: str | Path) -> list[str]:
    """Write a model as URDF (*.urdf) or MJCF (*.xml); what is left out, in sentences."""
    file = Path(path)
    kinds = {".urdf": urdf_text, ".xml": mjcf_text, ".mjcf": mjcf_text}
    if file.suffix.lower() not in kinds:
        raise EngineError(
            "'{name}' should end in .urdf, or in .xml for MJCF: that says which it becomes.",
            name=file.name,
        )
    links = links_of(model)
    text = kinds[file.suffix.lower()](links, file.stem)
    contents = {file.with_name(name): _stl(mesh) for name, mesh in _meshes(links, file.stem)}
    for target, content in {**contents, file: text.encode("utf-8")}.items():
        replace_file(target, partial(_put, content), "write")
    return left_out(model)


def _put(content: bytes, file: IO[bytes]) -> None:
    """Write bytes into an open file."""
    file.write(content)


def left_out(model: Model) -> list[str]:
    """The elements that neither kind of file can hold, in a sentence."""
    labels = [e.label for e in model.of("force") if e.kind not in WRITTEN]
    if not labels:
        return []
    return [say("Not written: {labels}.", labels=", ".join(f"'{one}'" for one in labels[:20]))]


# --- URDF


def urdf_text(links: Links, stem: str) -> str:
    """A URDF."""
    return "\n".join(_urdf_lines(links, stem)) + "\n"


def _urdf_lines(links: Links, stem: str) -> Iterator[str]:
    """Its lines."""
    yield '<?xml version="1.0"?>'
    yield f"<robot name={_quoted(links.model.name or stem)}>"
    base = "world"
    while any(link.name == base for link in links.links):
        base += "_"
    yield f"  <link name={_quoted(base)}>"
    for look in links.base:
        yield from _urdf_visual(look, "base", stem)
    yield "  </link>"
    for number, link in enumerate(links.links, 1):
        yield f"  <link name={_quoted(link.name)}>"
        yield "    <inertial>"
        yield f'      <origin xyz="{_numbers(link.center)}" rpy="0 0 0"/>'
        yield f'      <mass value="{link.mass!r}"/>'
        words = (f'i{a}{b}="{float(link.J[m, n])!r}"' for m, n, a, b in UPPER)
        yield "      <inertia " + " ".join(words) + "/>"
        yield "    </inertial>"
        if link.look is not None:
            yield from _urdf_visual(link.look, link.name, stem)
        yield "  </link>"
        yield from _urdf_joint(links.model, link, base, number)
    yield "</robot>"


def _urdf_joint(model: Model, link: Link, base: str, n: int) -> Iterator[str]:
    """The joint that carries a link."""
    kind, axis = _urdf_kind(model, link)
    name = link.joint or f"free_{n}"
    yield f'  <joint name={_quoted(name)} type="{kind}">'
    yield f"    <parent link={_quoted(link.parent or base)}/>"
    yield f"    <child link={_quoted(link.name)}/>"
    yield f'    <origin xyz="{_numbers(link.at)}" rpy="{_numbers(_rpy(link.R))}"/>'
    if axis is not None:
        yield f'    <axis xyz="{_numbers(axis)}"/>'
    if kind in ("revolute", "prismatic"):
        low, high = link.limits or (-STRONG, STRONG)
        strong = f'effort="{STRONG!r}" velocity="{STRONG!r}"'
        yield f'    <limit lower="{low!r}" upper="{high!r}" {strong}/>'
    if link.damping and axis is not None:
        yield f'    <dynamics damping="{link.damping!r}"/>'
    yield "  </joint>"


def _urdf_kind(model: Model, link: Link) -> tuple[str, np.ndarray | None]:
    """The type of a joint and its axis; others than URDF has are refused."""
    shape = len(link.slides), link.turn
    if shape == (0, HINGE):
        return ("continuous" if link.limits is None else "revolute"), np.array((0.0, 0.0, 1.0))
    if shape == (1, RIGID):
        return "prismatic", link.slides[0]
    if shape == (0, RIGID):
        return "fixed", None
    if not link.joint and shape == (3, BALL):
        return "floating", None
    label = model[link.joint or link.name].label
    raise EngineError(
        "URDF has hinges, slides, welds and free bodies, and '{label}' is none of them. Save it as MJCF.",
        link.joint or link.name,
        label=label,
    )


def _urdf_visual(look: Look, name: str, stem: str) -> Iterator[str]:
    """What a link looks like."""
    geometry = _urdf_geometry(look.shape, name, stem)
    if not geometry:
        return
    yield "    <visual>"
    yield f'      <origin xyz="{_numbers(look.at)}" rpy="{_numbers(_rpy(look.R))}"/>'
    yield f"      <geometry>{geometry}</geometry>"
    if look.color:
        yield f'      <material name=""><color rgba="{_rgba(look.color)}"/></material>'
    yield "    </visual>"


def _urdf_geometry(shape: Any, name: str, stem: str) -> str:
    """The geometry of a shape; empty if URDF has none."""
    if isinstance(shape, Box):
        size = (shape.width, shape.height, shape.thickness)
        return f'<box size="{_numbers(size)}"/>'
    if isinstance(shape, Rod):
        thick = [max(plain(n), THIN) for n in (shape.length, shape.width, shape.thickness)]
        return f'<box size="{_numbers(thick)}"/>'
    if isinstance(shape, Cylinder):
        return f'<cylinder radius="{plain(shape.radius)!r}" length="{plain(shape.length)!r}"/>'
    if isinstance(shape, Disc):
        return f'<cylinder radius="{plain(shape.radius)!r}" length="{plain(shape.thickness)!r}"/>'
    if isinstance(shape, Sphere):
        return f'<sphere radius="{plain(shape.radius)!r}"/>'
    if isinstance(shape, Mesh):
        return f"<mesh filename={_quoted(_mesh_name(stem, name))}/>"
    return ""


# --- MJCF


def mjcf_text(links: Links, stem: str) -> str:
    """An MJCF."""
    return "\n".join(_mjcf_lines(links, stem)) + "\n"


def _mjcf_lines(links: Links, stem: str) -> Iterator[str]:
    """Its lines."""
    gravity = np.zeros(3)
    gravity[: links.model.dim] = np.array(links.model.gravity, dtype=float)
    yield f"<mujoco model={_quoted(links.model.name or stem)}>"
    yield '  <compiler angle="radian" autolimits="true" balanceinertia="false"/>'
    yield f'  <option gravity="{_numbers(gravity)}" integrator="RK4" timestep="0.001">'
    yield '    <flag contact="disable"/>'
    yield "  </option>"
    meshes = list(_meshes(links, stem))
    if meshes:
        yield "  <asset>"
        for file, _ in meshes:
            yield f"    <mesh name={_quoted(Path(file).stem)} file={_quoted(file)}/>"
        yield "  </asset>"
    yield "  <worldbody>"
    for look in links.base:
        yield from _mjcf_geom(look, "base", stem, "    ")
    for link in links.links:
        if not link.parent:
            yield from _mjcf_body(links, link, stem, "    ")
    yield "  </worldbody>"
    qpos = np.concatenate([np.zeros(0), *(_qpos(link) for link in links.links)])
    qvel = np.concatenate([np.zeros(0), *(link.eta for link in links.links)])
    if len(qvel):
        yield "  <keyframe>"
        yield f'    <key name="start" qpos="{_numbers(qpos)}" qvel="{_numbers(qvel)}"/>'
        yield "  </keyframe>"
    yield "</mujoco>"


def _qpos(link: Link) -> np.ndarray:
    """The coordinates of a joint as MuJoCo has them; those of a free body are in the world."""
    if _is_free(link):
        R = link.R @ quaternion.matrix(link.beta[3:])
        place = link.at + link.R @ np.stack(link.slides, axis=1) @ link.beta[:3]
        return np.concatenate([place, quaternion.from_matrix(R)])
    return link.beta


def _is_free(link: Link) -> bool:
    """Whether a link is a free body in space."""
    return not link.joint and link.turn == BALL


def _mjcf_body(links: Links, link: Link, stem: str, indent: str) -> Iterator[str]:
    """A body with all that it carries."""
    quat = quaternion.from_matrix(link.R)
    place = f'pos="{_numbers(link.at)}" quat="{_numbers(quat)}"'
    yield f"{indent}<body name={_quoted(link.name)} {place}>"
    more = indent + "  "
    for joint in _mjcf_joints(links.model, link):
        yield more + joint
    J = link.J
    full = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    inertia = f'mass="{link.mass!r}" fullinertia="{_numbers(full)}"'
    yield f'{more}<inertial pos="{_numbers(link.center)}" {inertia}/>'
    if link.look is not None:
        yield from _mjcf_geom(link.look, link.name, stem, more)
    for other in links.links:
        if other.parent == link.name:
            yield from _mjcf_body(links, other, stem, more)
    yield f"{indent}</body>"


def _mjcf_joints(model: Model, link: Link) -> Iterator[str]:
    """The axes of a joint, slides first."""
    if _is_free(link):
        yield "<freejoint/>"
        return
    axes = [("slide", axis) for axis in link.slides]
    unit = np.eye(3)
    if link.turn == HINGE:
        axes.append(("hinge", unit[2]))
    elif link.turn == CROSS:
        axes += [("hinge", unit[0]), ("hinge", unit[1])]
    elif link.turn not in (RIGID, BALL):
        label = model[link.joint].label
        raise EngineError("MJCF has no screw such as '{label}'.", link.joint, label=label)
    limits = "" if link.limits is None else f' range="{_numbers(link.limits)}"'
    damping = f' damping="{link.damping!r}"' if link.damping else ""
    for n, (kind, axis) in enumerate(axes):
        name = link.joint or link.name
        label = _quoted(name if len(axes) == 1 and link.turn != BALL else f"{name}_{n + 1}")
        yield f'<joint name={label} type="{kind}" axis="{_numbers(axis)}"{limits}{damping}/>'
    if link.turn == BALL:
        yield f'<joint name={_quoted(f"{link.joint or link.name}_ball")} type="ball"/>'


def _mjcf_geom(look: Look, name: str, stem: str, indent: str) -> Iterator[str]:
    """What a body looks like; it takes no part in contacts and has no mass."""
    shape = look.shape
    if isinstance(shape, Box):
        size = _halves("box", shape.width, shape.height, shape.thickness)
    elif isinstance(shape, Rod):
        size = _halves("box", shape.length, shape.width, shape.thickness)
    elif isinstance(shape, Cylinder):
        size = _halves("cylinder", 2 * plain(shape.radius), shape.length)
    elif isinstance(shape, Disc):
        size = _halves("cylinder", 2 * plain(shape.radius), shape.thickness)
    elif isinstance(shape, Sphere):
        size = f'type="sphere" size="{plain(shape.radius)!r}"'
    elif isinstance(shape, Mesh):
        size = f'type="mesh" mesh={_quoted(Path(_mesh_name(stem, name)).stem)}'
    else:
        return
    place = f'pos="{_numbers(look.at)}" quat="{_numbers(quaternion.from_matrix(look.R))}"'
    colour = f' rgba="{_rgba(look.color)}"' if look.color else ""
    yield f'{indent}<geom {size} {place}{colour} contype="0" conaffinity="0" mass="0"/>'


def _halves(kind: str, *sizes: Number) -> str:
    """The type and the sizes of a geometry, which MuJoCo counts from its middle."""
    return f'type="{kind}" size="{_numbers(max(plain(size), THIN) / 2 for size in sizes)}"'


# --- numbers, names, meshes


def _numbers(values: Any) -> str:
    """Numbers that read back as they are; rounding is zero."""
    return " ".join(repr(0.0 if abs(x) < 1e-15 else x) for x in map(float, values))


def _rpy(R: np.ndarray) -> tuple[float, float, float]:
    """Roll, pitch and yaw: R = R_z(c) R_y(b) R_x(a)."""
    across = hypot(R[0, 0], R[1, 0])
    if across < 1e-12:  # pitch of 90 degrees: yaw is taken as zero
        return atan2(-R[1, 2], R[1, 1]), atan2(-R[2, 0], across), 0.0
    return atan2(R[2, 1], R[2, 2]), atan2(-R[2, 0], across), atan2(R[1, 0], R[0, 0])


def _rgba(color: str) -> str:
    """A colour such as #rrggbb as four numbers."""
    try:
        parts = [int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    except ValueError:
        parts = [0.5, 0.5, 0.5]
    return " ".join(f"{part:.4g}" for part in (*parts, 1.0))


def _quoted(text: str) -> str:
    """A text as an attribute; what XML cannot hold is left out."""
    return quoteattr("".join(c for c in text if c.isprintable()))


def _mesh_name(stem: str, name: str) -> str:
    """The file of the mesh of a body."""
    return f"{stem}_{name}.stl"


def _meshes(links: Links, stem: str) -> Iterator[tuple[str, Mesh]]:
    """The meshes of all links with the names of their files."""
    looks = [("base", look) for look in links.base]
    looks += [(link.name, link.look) for link in links.links if link.look is not None]
    seen = set[str]()
    for name, look in looks:
        file = _mesh_name(stem, name)
        if isinstance(look.shape, Mesh) and file not in seen:
            seen.add(file)
            yield file, look.shape


def _stl(mesh: Mesh) -> bytes:
    """A mesh as a binary STL file."""
    corners = np.array(mesh.vertices, dtype=float)[np.array(mesh.faces, dtype=int)]
    kind = [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("more", "<u2")]
    made = np.zeros(len(corners), dtype=kind)
    made["corners"] = corners
    made["normal"] = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return bytes(80) + len(made).to_bytes(4, "little") + made.tobytes()
