"""Write assets/examples/*.json: the examples of the gallery, built with the notebook API.

Run `python -m assets.make_examples` after a change; a test keeps files and script the same.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from assets.example_views import VIEWS
from assets.examples_in_plane import (
    cam_follower,
    car_suspension,
    crane_trolley,
    double_pendulum,
    double_pendulum_small,
    four_bar,
    gear_train,
    jansen_leg,
    knife_edge_sled,
    pendulum,
    pendulum_in_the_wind,
    quick_return,
    rheonomic_pendulum,
    rod_with_damper,
    rod_with_spring,
    rolling_disc,
    scotch_yoke,
    slider_crank,
    triple_pendulum,
)
from assets.examples_of_beams import (
    beam_flying_free,
    cantilever,
    crane_with_a_bending_jib,
    flexible_four_bar,
    flexible_pendulum,
    flexible_robot_arm,
    flexible_slider_crank,
    spin_up_beam,
    tuning_fork,
    two_substructures,
)
from assets.examples_of_forces import (
    ball_begins_to_roll,
    block_on_a_slope,
    bouncing_balls,
    drawer_that_jams,
    loose_wrist_pin,
    maxwell_creep,
    motor_spin_up,
    pla_gear_pair,
)
from assets.examples_of_formulas import (
    bead_on_a_rotating_wire,
    car_driven_by_a_steering_law,
    disc_that_rolls_by_a_law_of_speed,
    point_on_a_moving_surface,
    point_pendulum,
)
from assets.examples_of_linkages import (
    bricard_loop,
    constant_velocity_shaft,
    double_universal_shaft,
    governor,
    screw_press,
    spatial_four_bar,
    spatial_slider_crank,
    stewart_platform,
    universal_joint_shaft,
)
from assets.examples_of_many import discs_in_a_box, dominoes
from assets.examples_of_shapes import geneva_wheel, knee_in_a_squat
from assets.examples_of_spin import (
    bicycle_wheel,
    dzhanibekov_nut,
    gimbal_lock,
    gyroscope_in_gimbals,
    looping_helicopter,
    satellite,
    sleeping_top,
    spherical_pendulum,
    spinning_top,
    top_with_nutation,
)
from assets.examples_of_trees import (
    chain_of_100_links,
    robot_arm_in_plane,
    robot_arm_in_space,
    six_body_tree,
    walking_figure,
)
from assets.examples_one_sided import (
    cam_that_loses_its_follower,
    point_in_a_ring,
    rope_that_goes_slack,
    stick_slip_on_a_belt,
    swing_arm_suspension,
)
from assets.rounding import rounded
from engine.editing.builder import Mechanism
from engine.files.model_files import dumps
from engine.model.elements import Model

FOLDER = Path(__file__).parent / "examples"

PLANE: tuple[Callable[[], Mechanism], ...] = (
    pendulum,
    double_pendulum,
    double_pendulum_small,
    triple_pendulum,
    crane_trolley,
    rod_with_spring,
    rod_with_damper,
    four_bar,
    slider_crank,
    quick_return,
    scotch_yoke,
    cam_follower,
    gear_train,
    rolling_disc,
    knife_edge_sled,
    rheonomic_pendulum,
    car_suspension,
    pendulum_in_the_wind,
    maxwell_creep,
    motor_spin_up,
    bouncing_balls,
    ball_begins_to_roll,
    block_on_a_slope,
    pla_gear_pair,
    loose_wrist_pin,
    drawer_that_jams,
    geneva_wheel,
    dominoes,
    discs_in_a_box,
    cam_that_loses_its_follower,
    swing_arm_suspension,
    point_in_a_ring,
    rope_that_goes_slack,
    stick_slip_on_a_belt,
    point_pendulum,
    bead_on_a_rotating_wire,
    car_driven_by_a_steering_law,
    disc_that_rolls_by_a_law_of_speed,
    jansen_leg,
    robot_arm_in_plane,
    walking_figure,
    chain_of_100_links,
    flexible_slider_crank,
    spin_up_beam,
    cantilever,
    flexible_four_bar,
    flexible_pendulum,
    beam_flying_free,
    tuning_fork,
    crane_with_a_bending_jib,
    flexible_robot_arm,
    two_substructures,
)
SPACE: tuple[Callable[[], Mechanism], ...] = (
    spherical_pendulum,
    spinning_top,
    top_with_nutation,
    sleeping_top,
    bicycle_wheel,
    gyroscope_in_gimbals,
    gimbal_lock,
    dzhanibekov_nut,
    looping_helicopter,
    satellite,
    spatial_four_bar,
    spatial_slider_crank,
    universal_joint_shaft,
    constant_velocity_shaft,
    double_universal_shaft,
    screw_press,
    stewart_platform,
    bricard_loop,
    governor,
    point_on_a_moving_surface,
    knee_in_a_squat,
    robot_arm_in_space,
    six_body_tree,
)
EXAMPLES: dict[str, Callable[[], Mechanism]] = {make.__name__: make for make in PLANE + SPACE}


def model_of(make: Callable[[], Mechanism]) -> Model:
    """The model of an example with numbers of twelve digits, the words of its function and its view."""
    words = " ".join((make.__doc__ or "").split())
    return replace(rounded(make().model), description=words, view=VIEWS[make.__name__])


def main() -> None:
    """Write all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, make in EXAMPLES.items():
        (FOLDER / f"{name}.json").write_text(dumps(model_of(make)), encoding="utf-8")


if __name__ == "__main__":
    main()
