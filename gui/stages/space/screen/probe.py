"""Tests whether this machine draws in space, in its own process because a broken driver may crash it.

python -m gui.stages.space.screen.probe        writes the renderer's name, or ends with an error
"""

import sys

SIZE = 32


def main() -> int:
    """Draw one ball on white and check that it is visible; 0 on success."""
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (the factory of what follows)
    from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
    from vtkmodules.vtkFiltersSources import vtkSphereSource
    from vtkmodules.vtkRenderingCore import (
        vtkActor,
        vtkPolyDataMapper,
        vtkRenderer,
        vtkRenderWindow,
    )

    window, renderer = vtkRenderWindow(), vtkRenderer()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(SIZE, SIZE)
    window.AddRenderer(renderer)
    renderer.SetBackground(1.0, 1.0, 1.0)
    ball, mapper, actor = vtkSphereSource(), vtkPolyDataMapper(), vtkActor()
    mapper.SetInputConnection(ball.GetOutputPort())
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.0, 0.0, 0.0)
    renderer.AddActor(actor)
    window.Render()
    seen = vtkUnsignedCharArray()
    window.GetRGBACharPixelData(0, 0, SIZE - 1, SIZE - 1, 0, seen, 0)
    middle = seen.GetTuple(SIZE * SIZE // 2 + SIZE // 2)[0] if seen.GetNumberOfTuples() else 255
    corner = seen.GetTuple(0)[0] if seen.GetNumberOfTuples() else 0
    said = window.ReportCapabilities() or ""
    window.Finalize()
    if middle > 100 or corner < 200:
        return 1
    lines = [
        line.partition(":")[2].strip() for line in said.splitlines() if "renderer string" in line
    ]
    print(lines[0] if lines else "unknown")
    return 0


if __name__ == "__main__":
    sys.exit(main())
