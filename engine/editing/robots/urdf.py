"""Opens a robot description (URDF) as a model: links become bodies, joints hold them, meshes come along.

URDF knows metres, kilograms and radians. A joint has its frame where its child link has its own, turned by
rpy = (a, b, c) as R_z(c) R_y(b) R_x(a); it slides along or turns about its axis there. The link that no
joint carries is part of the ground. A body of Kardan has its frame where its first visual is; mass, centre
and inertia are those of the link, turned from the frame of the inertia. Links without mass that are fixed
to another one, as tools and cameras often are, become points of it.
"""

from dataclasses import replace
from math import hypot, pi
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np

from engine.editing.builder import Mechanism
from engine.editing.robots.xml_reader import Node, read_xml
from engine.errors import EngineError, say
from engine.files.meshes import mesh_shape, read_mesh
from engine.model.elements import Id, Model
from engine.model.shapes import Box, Cylinder, Mesh, Shape, Sphere
from rotations import matrix, quaternion

TURNING, SLIDING = ("revolute", "continuous"), "prismatic"
KINDS = (*TURNING, SLIDING, "fixed", "floating", "planar")
SMALLEST = 1e-12  # of an axis; and of an inertia [kg m^2], relative to the largest
LEFT_OUT = ("mimic", "safety_controller", "calibration")
MESHES = (".stl", ".obj")
FURTHEST = 6  # folders above the description in which packages are looked for


class Frame(NamedTuple):
    """A place and axes in the world, or in another frame."""

    r: np.ndarray
    R: np.ndarray

    def __matmul__(self, other: "Frame") -> "Frame":
        """A frame that is given in this one, in what this one is given in."""
        return Frame(self.r + self.R @ other.r, self.R @ other.R)


WORLD = Frame(np.zeros(3), np.eye(3))


class Inertial(NamedTuple):
    """Mass of a link, its centre and inertia about it, along the axes of the link."""

    mass: float
    center: np.ndarray
    J: np.ndarray


def open_urdf(path: str | Path) -> Model:
    """The model of a robot description; an EngineError says what is wrong with it."""
    file = Path(path)
    try:
        return _Reader(file, read_xml(file)).model()
    except EngineError as error:
        raise EngineError(
            "Cannot open '{path}'. {reason}", *error.ids, path=str(path), reason=error.sentence
        ) from None


class _Reader:
    """One description while it becomes a model."""

    def __init__(self, path: Path, root: Node) -> None:
        if root.tag != "robot":
            raise EngineError(
                "It is XML, but no URDF: it begins with <{tag}> and should with <robot>.",
                tag=root.tag[:40],
            )
        self._path, self._root = path, root
        self._links = self._named("link")
        self._joints = self._named("joint")
        self._m = Mechanism(root.attributes.get("name", path.stem), dim=3)
        self._left_out: list[str] = []
        self._bodies: dict[str, tuple[Id, Frame]] = {}  # of links: their body, and where they are
        if not self._links:
            raise EngineError("It has no <link>: a robot needs one at least.")

    def _named(self, tag: str) -> dict[str, Node]:
        """All parts of a kind by their names, which must differ."""
        found: dict[str, Node] = {}
        for node in self._root.all(tag):
            name = node.text("name")
            if name in found:
                raise EngineError(
                    "Line {line}: there are two <{tag}> with the name '{name}'. Rename one.",
                    line=node.line,
                    tag=tag,
                    name=name,
                )
            found[name] = node
        return found

    def model(self) -> Model:
        """The model."""
        carried = self._carried()
        roots = [name for name in self._links if name not in carried]
        if len(roots) != 1:
            raise EngineError(
                "Links {names} are carried by no joint; one should be, the base. Join the others to it."
                if roots
                else "Every link is carried by another one: joints form a cycle. A robot needs a base.",
                names=", ".join(f"'{name}'" for name in roots[:5]),
            )
        order, waiting = list[str](), list(roots)
        carries: dict[str, list[str]] = {}
        for child, joint in carried.items():
            carries.setdefault(self._end(joint, "parent"), []).append(child)
        while waiting:
            name = waiting.pop()
            order.append(name)
            waiting += reversed(carries.get(name, []))
        if len(order) < len(self._links):
            cycle = next(name for name in self._links if name not in order)
            raise EngineError(
                "Link '{name}' is carried by itself: joints form a cycle. Take one of them away.",
                name=cycle,
            )
        self._base(roots[0])
        for name in order[1:]:
            self._hang(name, carried[name])
        model = self._m.model
        return _described(model, self._left_out)

    def _carried(self) -> dict[str, Node]:
        """The joint that carries each link."""
        found: dict[str, Node] = {}
        for joint in self._joints.values():
            kind = joint.text("type")
            if kind not in KINDS:
                raise EngineError(
                    "Line {line}: joint '{name}' is of type '{kind}', which is unknown; there are {known}.",
                    line=joint.line,
                    name=joint.text("name"),
                    kind=kind[:40],
                    known=", ".join(KINDS),
                )
            self._end(joint, "parent")
            child = self._end(joint, "child")
            if child in found:
                raise EngineError(
                    "Line {line}: link '{child}' is carried by two joints; URDF knows trees alone. "
                    "Take one away.",
                    line=joint.line,
                    child=child,
                )
            found[child] = joint
        return found

    def _end(self, joint: Node, which: str) -> str:
        """The link at an end of a joint."""
        node = joint.one(which)
        if node is None:
            raise EngineError(
                "Line {line}: joint '{name}' has no <{which}>. Give it one.",
                line=joint.line,
                name=joint.text("name"),
                which=which,
            )
        link = node.text("link")
        if link not in self._links:
            raise EngineError(
                "Line {line}: joint '{name}' names link '{link}', which is not there.",
                line=node.line,
                name=joint.text("name"),
                link=link[:60],
            )
        return link

    # --- bodies

    def _base(self, name: str) -> None:
        """The link that no joint carries is part of the ground."""
        if self._links[name].one("visual") is None and self._links[name].one("inertial") is None:
            self._bodies[name] = "ground", WORLD
            return
        self._bodies[name] = self._body(name, WORLD, fixed=True), WORLD

    def _hang(self, name: str, joint: Node) -> None:
        """One link, on the one that carries it."""
        body, above = self._bodies[self._end(joint, "parent")]
        at, kind = above @ _origin(joint), joint.attributes["type"]
        if kind == "fixed" and self._inertial(name) is None:
            if body != "ground":
                self._m.marker(body, tuple(at.r), id=_free_id(self._m, name), name=name)
            self._bodies[name] = body, at
            return
        if self._inertial(name) is None:
            raise EngineError(
                "Line {line}: link '{name}' can move by joint '{joint}', but it has no mass. Give it an "
                "<inertial>, or make the joint fixed.",
                line=self._links[name].line,
                name=name,
                joint=joint.attributes["name"],
            )
        made = self._body(name, at)
        self._bodies[name] = made, at
        self._join(joint, kind, body, made, at)

    def _body(self, name: str, at: Frame, fixed: bool = False) -> Id:
        """The body of a link whose frame is at a place; its own frame is that of its first visual."""
        link = self._links[name]
        visuals = list(link.all("visual"))
        shape, turned = self._shape(visuals[0], name) if visuals else (None, WORLD)
        if len(visuals) > 1:
            self._left_out.append(say("further visuals of link '{name}'", name=name))
        frame = at @ turned
        fields: dict[str, Any] = {"position": tuple(frame.r.tolist()), "name": name}
        fields["orientation"] = tuple(quaternion.from_matrix(frame.R).tolist())
        inertial = self._inertial(name)
        if inertial is not None:
            center = turned.R.T @ (inertial.center - turned.r)
            J = turned.R.T @ inertial.J @ turned.R
            fields |= {"mass": inertial.mass, "center": tuple(center.tolist())}
            fields["inertia"] = (*np.diag(J).tolist(), J[0, 1], J[0, 2], J[1, 2])
            fields["inertia"] = tuple(float(value) for value in fields["inertia"])
        elif shape is None:
            fields |= {"mass": 1.0, "inertia": (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)}
            fields["center"] = (0.0, 0.0, 0.0)
        if fixed:
            fields["fixed"] = True
        colour = self._colour(visuals[0]) if visuals else ""
        if colour:
            fields["color"] = colour
        id = _free_id(self._m, name)
        return self._m.body((0, 0, 0), shape=shape, id=id, **fields)

    def _inertial(self, name: str) -> Inertial | None:
        """Mass, centre and inertia of a link; None if it has none."""
        node = self._links[name].one("inertial")
        if node is None:
            return None
        mass_node, J_node = node.one("mass"), node.one("inertia")
        mass = 0.0 if mass_node is None else mass_node.number("value")
        at = _origin(node)
        J = np.zeros((3, 3))
        if J_node is not None:
            names = (("ixx", "ixy", "ixz"), ("ixy", "iyy", "iyz"), ("ixz", "iyz", "izz"))
            J = np.array([[J_node.number(one, 0.0) for one in row] for row in names])
        if mass == 0.0 and not J.any():
            return None
        principal = np.linalg.eigvalsh(J)
        largest = max(principal[-1], 0.0)
        if mass <= 0.0 or principal[0] <= SMALLEST * largest:
            raise EngineError(
                "Line {line}: link '{name}' has mass {mass:g} kg and principal inertias {least:.3g} to "
                "{most:.3g} kg m^2; all must be above zero. Correct its <inertial>.",
                line=node.line,
                name=name,
                mass=mass,
                least=float(principal[0]),
                most=float(principal[-1]),
            )
        return Inertial(mass, at.r, at.R @ J @ at.R.T)

    def _shape(self, visual: Node, link: str) -> tuple[Shape | None, Frame]:
        """What a visual looks like, and its frame in that of the link."""
        turned = _origin(visual)
        geometry = visual.one("geometry")
        made = geometry.children[0] if geometry is not None and geometry.children else None
        if made is None:
            raise EngineError(
                "Line {line}: a visual of link '{name}' has no geometry. Give it one.",
                line=visual.line,
                name=link,
            )
        if made.tag == "box":
            x, y, z = made.numbers("size", (0.1, 0.1, 0.1))
            return Box(width=x, height=y, thickness=z), turned
        if made.tag in ("cylinder", "capsule"):
            radius, length = made.number("radius"), made.number("length")
            return Cylinder(radius=radius, length=length), turned
        if made.tag == "sphere":
            return Sphere(radius=made.number("radius")), turned
        if made.tag == "mesh":
            return self._mesh(made, link), turned
        raise EngineError(
            "Line {line}: link '{name}' has a <{tag}>; there are box, cylinder, capsule, sphere and mesh.",
            line=made.line,
            name=link,
            tag=made.tag[:40],
        )

    def _mesh(self, node: Node, link: str) -> Mesh:
        """A mesh from its file, which is looked for beside the description and in packages above it."""
        given = node.text("filename")
        path = self._found(given)
        if path is None:
            raise EngineError(
                "Line {line}: the mesh '{file}' of link '{name}' is not there. Put it beside the "
                "description, as its path says, or take the visual away.",
                line=node.line,
                file=given[:200],
                name=link,
            )
        if path.suffix.lower() not in MESHES:
            raise EngineError(
                "Line {line}: the mesh '{file}' of link '{name}' is no STL or OBJ file. Convert it.",
                line=node.line,
                file=given[:200],
                name=link,
            )
        scale = np.array(node.numbers("scale", (1.0, 1.0, 1.0)))
        if (scale == 0.0).any():
            raise EngineError(
                "Line {line}: the mesh of link '{name}' has a scale of 0.",
                line=node.line,
                name=link,
            )
        found = read_mesh(path)
        shape = mesh_shape(found, path.name)
        vertices = np.array(shape.vertices) * scale
        faces = shape.faces
        if scale.prod() < 0.0:  # mirrored: outside is outside again
            faces = tuple((a, c, b) for a, b, c in faces)
        return Mesh(vertices=tuple(map(tuple, vertices.tolist())), faces=faces, source=shape.source)

    def _found(self, given: str) -> Path | None:
        """The file behind the name of a mesh; packages are folders beside or above the description."""
        scheme, separator, rest = given.partition("://")
        if separator and scheme not in ("package", "file", "model"):
            return None
        words = PurePosixPath(rest if separator else given)
        folder = self._path.resolve().parent
        if words.is_absolute():
            candidates = [Path(words)] if scheme == "file" or not separator else []
        else:
            above = [folder, *folder.parents][:FURTHEST]
            inside = (
                PurePosixPath(*words.parts[1:]) if separator and len(words.parts) > 1 else words
            )
            candidates = [one / part for one in above for part in (words, inside)]
        return next((one for one in candidates if one.is_file()), None)

    def _colour(self, visual: Node) -> str:
        """The colour of a visual, its own or that of a material by name."""
        material = visual.one("material")
        if material is not None and material.one("color") is None:
            name = material.attributes.get("name", "")
            shared = (
                one for one in self._root.all("material") if one.attributes.get("name") == name
            )
            material = next(shared, material)
        colour = None if material is None else material.one("color")
        if colour is None:
            return ""
        parts = np.clip(colour.numbers("rgba", (0.5, 0.5, 0.5, 1.0))[:3], 0.0, 1.0)
        return "#" + "".join(f"{round(255 * part):02x}" for part in parts)

    # --- joints

    def _join(self, joint: Node, kind: str, body: Id, made: Id, at: Frame) -> None:
        """The joint between two bodies, with its limits and its damping."""
        name = joint.attributes["name"]
        axis = at.R @ self._axis(joint)
        place = {"at": tuple(at.r.tolist()), "id": _free_id(self._m, name), "name": name}
        self._left_out += [
            say("{what} of joint '{name}'", what=what, name=name)
            for what in LEFT_OUT
            if joint.one(what) is not None
        ]
        if kind == "floating":
            return
        if kind == "fixed":
            self._m.weld(body, made, **place)
            return
        place["axis"] = tuple(axis.tolist())
        if kind == "planar":
            self._m.planar(body, made, **place)
            return
        turns = kind in TURNING
        id = (self._m.revolute if turns else self._m.prismatic)(body, made, **place)
        self._limit(joint, kind, id)
        dynamics = joint.one("dynamics")
        if dynamics is not None and (damping := dynamics.number("damping", 0.0)):
            self._m.joint_damping(id, damping)
        if dynamics is not None and dynamics.number("friction", 0.0):
            self._left_out.append(say("friction of joint '{name}'", name=name))

    def _axis(self, joint: Node) -> np.ndarray:
        """The unit axis of a joint in its frame."""
        node = joint.one("axis")
        axis = np.array((1.0, 0.0, 0.0) if node is None else node.numbers("xyz", (1.0, 0.0, 0.0)))
        size = hypot(*axis)  # stays finite as long as the axis does
        if not SMALLEST <= size < np.inf:
            raise EngineError(
                "Line {line}: joint '{name}' has an axis of length {size:.3g}. Give it a direction.",
                line=joint.line,
                name=joint.attributes["name"],
                size=size,
            )
        return np.asarray(axis / size)

    def _limit(self, joint: Node, kind: str, id: Id) -> None:
        """Stops at the limits of a joint."""
        node = joint.one("limit")
        if node is None or kind == "continuous":
            return
        low, high = node.number("lower", 0.0), node.number("upper", 0.0)
        if low > high:
            raise EngineError(
                "Line {line}: the lower limit of joint '{name}' is above the upper one. Exchange them.",
                line=node.line,
                name=joint.attributes["name"],
            )
        if low == high or (kind == "revolute" and high - low >= 2 * pi):
            return  # not given, or a whole turn: no stop
        self._m.joint_limits(id, low, high)


def _origin(node: Node) -> Frame:
    """The frame that <origin> of a node gives."""
    origin = node.one("origin")
    if origin is None:
        return WORLD
    roll, pitch, yaw = origin.numbers("rpy", (0.0, 0.0, 0.0))
    R = matrix.elementary(3, yaw) @ matrix.elementary(2, pitch) @ matrix.elementary(1, roll)
    return Frame(np.array(origin.numbers("xyz", (0.0, 0.0, 0.0))), R)


def _free_id(m: Mechanism, name: str) -> Id:
    """An id made of a name that the model does not have yet."""
    word = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).strip("_") or "part"
    stem = word if word[0].isalpha() else f"part_{word}"
    id, n = stem, 1
    while id in m.model or id == "ground":
        n += 1
        id = f"{stem}_{n}"
    return id


def _described(model: Model, left_out: list[str]) -> Model:
    """The model with words about what it lacks."""
    words = say("From a robot description.")
    if left_out:
        words = say("From a robot description, without {what}.", what=", ".join(left_out[:20]))
    return replace(model, description=str(words))
