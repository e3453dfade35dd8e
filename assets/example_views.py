"""How the examples are shown when they are opened: two or three telling plots, and arrows that explain."""

from engine.model.views import Bars, Camera, Curves, Plot, Portrait, View


def _over_time(*channels: str) -> Curves:
    return Curves(channels=channels)


def _portrait(x: str, y: str, *, wraps: bool = False, shows_field: bool = True) -> Portrait:
    return Portrait(x=x, y=y, wraps=wraps, shows_field=shows_field)


def _swing(pin: str) -> Portrait:
    """The phase portrait of a joint that turns."""
    return _portrait(f"{pin}.angle", f"{pin}.angle_rate")


def _view(*plots: Plot, arrows: tuple[str, ...] = (), camera: Camera | None = None) -> View:
    return View(plots=plots, arrows=arrows, camera=camera)


def _bent(*plots: Plot, times: float = 1.0) -> View:
    """Beams bent so much more than they are, coloured by stress."""
    return View(plots=plots, beams_bent=times, beam_colours="stress")


ENERGY = _over_time("kinetic_energy", "potential_energy", "total_energy")

VIEWS: dict[str, View] = {
    "flexible_slider_crank": _bent(
        _over_time("middle.deflection"),
        _over_time("middle.moment"),
        _over_time("motor.drive"),
        times=5.0,
    ),
    "spin_up_beam": _bent(
        _over_time("tip.deflection"), _over_time("hub.angular_velocity"), _over_time("beam.stress")
    ),
    "flexible_four_bar": _bent(
        _over_time("of_coupler.deflection", "of_rocker.deflection"),
        _over_time("coupler.stress", "rocker.stress"),
        _over_time("motor.drive"),
        times=5.0,
    ),
    "flexible_pendulum": _bent(
        _over_time("middle.deflection"), _over_time("rod.strain_energy"), ENERGY, times=5.0
    ),
    "beam_flying_free": _bent(
        _over_time("middle.deflection"),
        _over_time("beam.strain_energy"),
        _over_time("angular_momentum"),
    ),
    "tuning_fork": _bent(
        _over_time("upper_tip.deflection", "lower_tip.deflection"),
        _over_time("upper.strain_energy"),
        _over_time("hand.force_y"),
        times=5.0,
    ),
    "crane_with_a_bending_jib": _bent(
        _over_time("load.y"), _over_time("at_stay.moment"), _over_time("jib.stress"), times=5.0
    ),
    "flexible_robot_arm": _bent(
        _over_time("tip.deflection_y", "tip.deflection_z"),
        _over_time("motor.drive"),
        _over_time("arm.stress"),
        times=20.0,
    ),
    "two_substructures": _bent(
        _over_time("end_of_whole.vy", "end_of_halves.vy"),
        _over_time("whole.strain_energy", "inner.strain_energy", "outer.strain_energy"),
        times=5.0,
    ),
    "cantilever": _bent(
        _over_time("tip.deflection"),
        _over_time("root.moment"),
        _over_time("strip.stress"),
        times=5.0,
    ),
    "maxwell_creep": _view(
        _over_time("creeps.y", "settles.y"), _over_time("solid_creeps.creep", "solid_settles.creep")
    ),
    "motor_spin_up": _view(_over_time("motor.current"), _over_time("wheel.angular_velocity")),
    "bouncing_balls": _view(
        _over_time("ball_1.y", "ball_2.y", "ball_3.y"),
        _portrait("ball_2.y", "ball_2.vy", shows_field=False),
    ),
    "ball_begins_to_roll": _view(
        _over_time("disc.vx", "floor.sliding_speed"),
        _over_time("floor.slide_roll"),
        _over_time("floor.friction"),
        arrows=("forces",),
    ),
    "drawer_that_jams": _view(
        _over_time("guide_comes.displacement_rate", "guide_jams.displacement_rate"),
        _over_time("edges_comes.friction", "edges_jams.friction"),
        arrows=("forces",),
    ),
    "block_on_a_slope": _view(
        _over_time("sticks.x", "slides.x"),
        _over_time("sticks_on_slope.friction", "slides_on_slope.friction"),
        arrows=("forces",),
    ),
    "loose_wrist_pin": _view(
        _over_time("wrist_pin.normal_force"), _over_time("piston.ax"), arrows=("forces",)
    ),
    "dominoes": _view(
        _over_time(*(f"domino_{k}.angle" for k in range(1, 9))),
        _over_time("touching.normal_force"),
        arrows=("forces",),
    ),
    "discs_in_a_box": _view(
        _over_time("touching.touching"),
        ENERGY,
        arrows=("forces",),
    ),
    "geneva_wheel": _view(
        _over_time("crank.angular_velocity", "wheel.angular_velocity"),
        _over_time("pin.normal_force"),
        arrows=("forces",),
    ),
    "point_in_a_ring": _view(
        _portrait("point.x", "point.y", shows_field=False), _over_time("point.vx", "point.vy")
    ),
    "rope_that_goes_slack": _view(
        _over_time("rope.force"),
        _portrait("weight.x", "weight.y", shows_field=False),
        arrows=("forces",),
    ),
    "stick_slip_on_a_belt": _view(
        _over_time("mass.vx", "belt.vx"), _portrait("mass.x", "mass.vx", shows_field=False)
    ),
    "cam_that_loses_its_follower": _view(
        _over_time("touch.normal_force"), _over_time("follower.y", "touch.depth")
    ),
    "swing_arm_suspension": _view(
        _over_time("tyre.normal_force"),
        _over_time("car.y", "wheel.y"),
        _over_time("car.ay"),
        arrows=("forces",),
        camera=Camera(focus=(0.3, 0.5), height=1.8),  # the road is much longer
    ),
    "knee_in_a_squat": _view(
        _over_time("medial.normal_force", "lateral.normal_force"),
        _over_time("medial.sliding_speed"),
        _over_time("medial.slide_roll"),
        arrows=("forces",),
    ),
    "pla_gear_pair": _view(
        _over_time("gear_1.angular_velocity", "gear_2.angular_velocity"),
        _over_time("mesh.normal_force", "mesh.friction"),
        _over_time("mesh.pairs"),
    ),
    "robot_arm_in_plane": _view(
        _portrait("tip.x", "tip.y", shows_field=False),
        _over_time("shoulder.angle", "elbow.angle"),
        _over_time("shoulder_motor.drive", "elbow_motor.drive"),
    ),
    "robot_arm_in_space": _view(
        _over_time("turn.angle", "shoulder.angle", "elbow.angle"), _over_time("kinetic_energy")
    ),
    "six_body_tree": _view(_over_time("hinge_2.force", "hinge_3.force", "hinge_5.force"), ENERGY),
    "chain_of_100_links": _view(
        _over_time("rail.displacement", "middle.x", "end.x"),
        _over_time("pin_1.force"),
        Bars(),
    ),
    "walking_figure": _view(
        _portrait("left_foot.x", "left_foot.y", shows_field=False),
        _over_time("left_hip_motor.drive", "left_knee_motor.drive"),
        _over_time("path.force_y"),
    ),
    "pendulum": _view(
        _over_time("rod_1.angle"), _swing("pin"), _over_time("pin.force"), arrows=("reactions",)
    ),
    "double_pendulum": _view(_over_time("upper.angle", "lower.angle"), _swing("B"), Bars()),
    "double_pendulum_small": _view(
        _over_time("upper.angle", "lower.angle"), _portrait("upper.angle", "lower.angle")
    ),
    "triple_pendulum": _view(_over_time("rod_1.angle", "rod_2.angle", "rod_3.angle"), Bars()),
    "crane_trolley": _view(
        _over_time("trolley.x", "load.x"), _over_time("hinge.angle"), _over_time("hinge.force")
    ),
    "rod_with_spring": _view(
        _over_time("rod_1.angle"), _over_time("spring.length", "spring.force"), _swing("A")
    ),
    "rod_with_damper": _view(
        _over_time("rod_1.angle"), _over_time("damper.force"), _over_time("total_energy", "work")
    ),
    "four_bar": _view(
        _over_time("crank.angle", "coupler.angle", "rocker.angle"),
        _portrait("crank.angle", "rocker.angle", shows_field=False),
        _over_time("B.force", "C.force"),
    ),
    "slider_crank": _view(
        _over_time("piston.x", "piston.vx"), _over_time("piston.ax"), _over_time("motor.drive")
    ),
    "quick_return": _view(
        _over_time("ram.x", "ram.vx"), _over_time("lever.angle"), _over_time("motor.drive")
    ),
    "scotch_yoke": _view(_over_time("yoke.x", "yoke.vx"), _over_time("yoke.ax", "motor.drive")),
    "cam_follower": _view(
        _over_time("follower.y", "follower.vy"), _over_time("follower.ay", "contact.force")
    ),
    "gear_train": _view(
        _over_time("gear_1.angular_velocity", "gear_2.angular_velocity", "gear_3.angular_velocity"),
        _over_time("mesh_12.tooth_force", "mesh_23.tooth_force"),
    ),
    "rolling_disc": _view(_over_time("disc.x", "disc.angle"), ENERGY, arrows=("velocities",)),
    "knife_edge_sled": _view(
        _portrait("sled.x", "sled.y", shows_field=False),
        _over_time("sled.speed"),
        arrows=("velocities",),
    ),
    "rheonomic_pendulum": _view(
        _over_time("bob.x", "bob.y"), _over_time("rope.force"), _over_time("total_energy", "work")
    ),
    "car_suspension": _view(
        _over_time("road.y", "wheel.y", "body.y"), _over_time("body.ay"), _over_time("tyre.force")
    ),
    "pendulum_in_the_wind": _view(
        _over_time("hinge.angle"), _swing("hinge"), _over_time("drag.force"), arrows=("forces",)
    ),
    "point_pendulum": _view(_over_time("bob.x", "bob.y"), _over_time("circle.lam_1"), ENERGY),
    "bead_on_a_rotating_wire": _view(
        _portrait("bead.x", "bead.y", shows_field=False), _over_time("wire.lam_1")
    ),
    "car_driven_by_a_steering_law": _view(
        _portrait("car.x", "car.y", shows_field=False),
        _over_time("car.angle"),
        _over_time("steering.lam_1", "rear_axle.lam_1"),
    ),
    "disc_that_rolls_by_a_law_of_speed": _view(
        _over_time("disc.x"), _over_time("disc.angle"), _over_time("rolling.lam_1")
    ),
    "point_on_a_moving_surface": _view(
        _portrait("bob.x", "bob.y", shows_field=False), _over_time("bowl.lam_1")
    ),
    "jansen_leg": _view(
        _portrait("foot.x", "foot.y", shows_field=False),
        _over_time("foot.y", "foot.vx"),
        _over_time("motor.drive"),
    ),
    "spherical_pendulum": _view(
        _portrait("bob.center_x", "bob.center_y", shows_field=False),
        _over_time("bob.center_z"),
        _over_time("support.force"),
    ),
    "spinning_top": _view(
        _over_time("top.euler_3-1-3_1"),
        _portrait("top.center_x", "top.center_y", shows_field=False),
        arrows=("spins",),
    ),
    "top_with_nutation": _view(
        _over_time("top.euler_3-1-3_2"),
        _portrait("top.center_x", "top.center_y", shows_field=False),
    ),
    "sleeping_top": _view(_over_time("top.euler_3-1-3_2"), _over_time("top.angular_speed")),
    "bicycle_wheel": _view(
        _portrait("wheel.center_x", "wheel.center_y", shows_field=False),
        _over_time("wheel.center_x", "wheel.center_y"),
        arrows=("spins",),
    ),
    "gyroscope_in_gimbals": _view(
        _over_time("yaw.angle"), _over_time("pitch.angle"), arrows=("forces",)
    ),
    "gimbal_lock": _view(
        _over_time("pitch.angle"),
        _over_time("yaw.angle_rate", "spin_bearing.angle_rate"),
        _over_time("motor.drive"),
    ),
    "dzhanibekov_nut": _view(
        _over_time(
            "nut.angular_velocity_x_body",
            "nut.angular_velocity_y_body",
            "nut.angular_velocity_z_body",
        ),
        _portrait("nut.angular_velocity_x_body", "nut.angular_velocity_y_body", shows_field=False),
        arrows=("spins",),
    ),
    "looping_helicopter": _view(
        _portrait("helicopter.x", "helicopter.z", shows_field=False),
        _over_time("helicopter.vx", "helicopter.vz"),
        arrows=("forces",),
    ),
    "satellite": _view(
        _over_time("hub.angular_velocity_x_body", "hub.angular_velocity_z_body"),
        _over_time("yaw_bearing.angle_rate", "roll_bearing.angle_rate"),
    ),
    "spatial_four_bar": _view(
        _over_time("A.angle", "D.angle"), _over_time("B.force", "C.force"), ENERGY
    ),
    "spatial_slider_crank": _view(
        _over_time("guide.displacement", "guide.displacement_rate"), _over_time("motor.drive")
    ),
    "universal_joint_shaft": _view(
        _over_time("driver.angular_speed", "driven.angular_speed"), _over_time("motor.drive")
    ),
    "constant_velocity_shaft": _view(
        _over_time("driver.angular_speed", "driven.angular_speed"), _over_time("inlet.angle")
    ),
    "double_universal_shaft": _view(
        _over_time("driver.angular_speed", "middle.angular_speed", "output.angular_speed"),
        _over_time("motor.drive"),
    ),
    "screw_press": _view(
        _over_time("ram.z", "workpiece.force"), _over_time("flywheel.angular_speed"), ENERGY
    ),
    "stewart_platform": _view(
        _over_time("platform.x", "platform.y", "platform.z"),
        _over_time("drive_1.drive", "drive_4.drive"),
    ),
    "bricard_loop": _view(
        _over_time("hinge_0.angle", "hinge_1.angle", "hinge_2.angle"),
        _portrait("hinge_0.angle", "hinge_1.angle", shows_field=False),
    ),
    "governor": _view(
        _over_time("sleeve_guide.displacement"),
        _over_time("right_hinge.angle"),
        _over_time("shaft.angular_speed"),
    ),
}
