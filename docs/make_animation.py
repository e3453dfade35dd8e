"""Make the animation of the README with the program's own film export.

Run it from the checkout with:  make screenshots
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QSize

from assets import example_paths
from docs.photographer import IMAGES, Photographer, wait
from gui.export.film.film_files import FilmForm
from gui.export.film.film_job import FilmJob, frame_times
from gui.export.twin import Twin
from gui.window.app import application, apply_theme

EXAMPLE = "jansen_leg"
FORM = FilmForm(width=640, height=400, rate=100.0 / 6.0)  # a GIF counts in hundredths of a second
SPAN = (0.0, 6.0)  # s: three turns of the crank, so that it loops
LARGEST = 1_000_000  # bytes: the page must open quickly


def make(folder: Path) -> None:
    """Run the example in a window of a new user and film its stage."""
    camera = Photographer(folder)
    camera.open_example(example_paths()[EXAMPLE])
    camera.window.stages.shown.show_grid(False)
    camera.run()
    sources = camera.window.sources()
    assert sources.record is not None, "it has just been run"
    twin = Twin(sources, sources.record)
    size = QSize(FORM.width, FORM.height)
    twin.stage.resize(size)
    twin.stage.fit()
    times = frame_times(*SPAN, 1.0, FORM.rate)[:-1]  # the last frame would be the first again
    path = IMAGES / "jansen-leg.gif"
    job = FilmJob(lambda t: twin.image(t, size), times, FORM, path, camera.window)
    ended: list[bool] = []
    job.finished.connect(lambda: ended.append(True))
    job.start()
    wait(lambda: bool(ended))
    twin.close()
    camera.close()
    if job.sentence:
        raise SystemExit(job.sentence)
    written = path.stat().st_size
    print(f"{path.name}: {written // 1000} kB", flush=True)
    if written > LARGEST:
        raise SystemExit(f"{path.name} is larger than {LARGEST // 1000} kB.")


def main() -> None:
    """Make the animation."""
    application()
    apply_theme("light")
    with TemporaryDirectory(prefix="kardan-pictures-") as folder:
        make(Path(folder))


if __name__ == "__main__":
    main()
