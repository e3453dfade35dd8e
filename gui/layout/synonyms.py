"""Words by which people look for the same thing: those of Kardan, of textbooks and of other programs."""

from functools import cache

FEWEST = 3  # letters from which on the beginning of a word stands for it
GROUPS = tuple(
    frozenset(line.split())
    for line in """
    pin hinge revolute pivot rotational
    slider prismatic translational sliding guide
    motor drive actuator motion engine servo
    weld fixed rigid glue
    ball spherical
    universal cardan hooke
    constant homokinetic
    screw helical thread
    planar plane
    slot groove
    rod distance strut
    link bar member
    beam flexible bending elastic
    bars polyline frame portal bracket bent flexible
    box rectangle cuboid block plate
    disc disk wheel circle
    sphere ball
    mass particle weight
    ground frame base fixed
    damper dashpot shock absorber
    cable rope string belt pulley
    gear cog teeth
    contact collision touching impact
    friction rubbing
    drag air wind aerodynamic
    force load
    torque moment couple
    controller pid regulator
    hydraulic piston cylinder
    constraint equation formula
    trigger event sensor
    tracer trail trace path
    parameter variable
    plot curve graph chart diagram
    angle rotation
    velocity speed
    displacement travel stroke
    position place location
    reaction bearing
    run play simulate start
    pause stop
    film video movie animation mp4 gif
    picture image screenshot png svg
    table csv spreadsheet excel data
    report summary pdf
    gltf glb blender
    example gallery sample demo
    settings preferences options
    properties form inspector
    delete remove erase
    duplicate clone copy
    fit zoom
    hide invisible
    isolate solo alone
    transparent opacity
    dark theme light
    lock gimbal singularity
    modes eigenfrequencies frequencies vibration
    freedom mobility dof
    assemble close
    mirror reflect flip
    mesh stl obj cad
    mouse pull live
    help manual keys shortcuts
    """.strip().splitlines()
)


@cache
def others(word: str) -> frozenset[str]:
    """The words that mean the same as a lower-case word, or as those that begin with it."""
    if len(word) < FEWEST:
        return frozenset()
    meant = (group for group in GROUPS if any(one.startswith(word) for one in group))
    return frozenset().union(*meant) - {word}
