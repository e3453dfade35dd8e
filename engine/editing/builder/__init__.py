"""Build a mechanism in a notebook: bodies between points, joints at points, no explicit markers.

dp = Mechanism("double pendulum")
rod1 = dp.rod((0, 0), (1, 0), mass=1)
rod2 = dp.rod((1, 0), (2, 0), mass=1)
dp.revolute("ground", rod1, at=(0, 0))
dp.revolute(rod1, rod2, at=(1, 0))
run = dp.run(t_end=10)
plt.plot(run.t, run["rod_1.angle"])
"""

from engine.editing.builder.mechanism import Mechanism

__all__ = ["Mechanism"]
