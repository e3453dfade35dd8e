"""Edits: pure functions from one model to the next, for every gesture and command of the window.

They keep ids and, where possible, expressions. What cannot be done is an EngineError, and the old
model is still there.
"""

from engine.editing.edits.apart import moved_apart
from engine.editing.edits.arranging import (
    ALIGNMENTS,
    DISTRIBUTIONS,
    aligned,
    extent,
    mirrored,
    rotated,
    translated,
)
from engine.editing.edits.bodies import (
    box,
    disc,
    link,
    link_width,
    marker,
    point_mass,
    polygon,
    polyline,
    radius_of,
    with_corner,
    with_ground_toggled,
)
from engine.editing.edits.changing import (
    at_state,
    deleted,
    renamed,
    with_fields,
)
from engine.editing.edits.clipboard import clip, duplicated, pasted
from engine.editing.edits.connecting import (
    Pair,
    between,
    can_guide,
    doubled,
    end_body,
    force,
    joint,
    landing_body,
    load,
    middle_of_body,
    natural_angle,
    over,
    pairs_at,
    refuse_none,
    rolling_disc,
    torque,
    tracer,
    trigger,
)
from engine.editing.edits.on_joints import (
    actuator,
    coordinate_value,
    coordinates,
    gear,
    has_coordinate,
    in_joint,
    is_angle,
    is_driven,
    limits,
    motion,
    rack_and_pinion,
    takes_torsional,
    torsional,
)
from engine.editing.edits.placing import (
    Frame,
    SpaceFrame,
    bodies_of,
    body_frame,
    frame_of_axes,
    is_still,
    joint_point,
    label,
    marker_frame,
    space_frame,
    space_marker,
)
from engine.editing.edits.points import glued_to
from engine.editing.edits.sizing import (
    Slide,
    assembled,
    drives,
    end_moved,
    parameter_set,
    placed_at,
    resized,
    turned_to,
    turned_to_orientation,
    value_typed,
    with_values,
)
from engine.editing.edits.slots import beside_axis, slot_on_axis
from engine.editing.edits.space.arranging import (
    along_world_axes,
    middle_of,
    on_ground_plane,
    turned,
    turned_by,
)
from engine.editing.edits.space.bodies import (
    Landing,
    MeshPart,
    ball,
    bar,
    block,
    capsule,
    cylinder,
    mass_center,
    mesh_body,
    mesh_part,
    with_spin,
    with_velocity,
)
from engine.editing.edits.space.connecting import (
    axis_along,
    axis_flipped,
    bodies_swapped,
    joint_frame,
    joint_shifted,
    joint_turned,
    marker_shifted,
    on_shafts,
    rolling_wheel,
    wheel_contact,
)
from engine.editing.edits.space.orienting import continued_with, with_parameters
from engine.editing.edits.space.solids import (
    axle_point,
    bodies_at,
    distance_to,
    end_point,
    extent3,
    line_point,
    long_axis,
    pairs_in_space,
    shape_of,
)
from engine.editing.edits.tying import tied
from engine.editing.ties import tied_anew, untied, words_of_tie
from engine.kinematics.drag_parts import unmarked
from engine.model.attachments import markers_of
