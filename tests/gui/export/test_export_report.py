"""The report of a run: complete, self-contained, escaped; and its plots."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from gui.export.curves_svg import COLUMNS, Curve, curves_svg, nice_ticks, thinned
from gui.export.pictures import stage_svg
from gui.export.report.report import report_page, write_report
from tests.gui.export_samples import sample_results, staged_sources

EVIL = "<script>alert('x')</script> & \"quoted\""


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that tags are closed in order."""

    VOID = ("meta", "img", "line", "path")

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.links = [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        """Note a tag and where it leads."""
        self.tags.append(tag)
        self.links += [value for key, value in attrs if key in ("src", "href")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Note a tag that is closed at once."""
        self.tags.append(tag)

    def handle_endtag(self, tag):
        """Close the innermost tag."""
        assert self.open.pop() == tag

    def handle_data(self, data):
        """Note a text."""
        self.texts.append(data)


def test_a_report_has_settings_statistics_mobility_plots_and_tables():
    page = Page(report_page(sample_results()))
    words = " ".join(page.texts)
    for told in ("Four-bar", "rk4", "Degrees of freedom", "crank – coupler", "Largest |Phi|"):
        assert told in words
    assert page.tags.count("svg") == 3  # energies, drift, constraints
    assert {"Bodies", "Joints", "Markers", "Energy", "Constraints"} <= set(page.texts)
    assert "1 kg, 0.0833333 kg m^2" in words  # of the crank: m l^2 / 12


def test_a_report_needs_no_other_file_and_runs_nothing(qtbot, tmp_path):
    svg = stage_svg(staged_sources(qtbot, tmp_path))
    text = report_page(sample_results(), svg)
    page = Page(text)
    assert "script" not in page.tags and "link" not in page.tags
    assert [link[:26] for link in page.links] == ["data:image/svg+xml;base64,"]
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "default-src 'none'" in text


def test_whatever_the_user_named_is_text_and_not_markup():
    mechanism = Mechanism(EVIL)
    rod = mechanism.rod((0, 0), (1, 0), mass=1, name=EVIL)
    mechanism.revolute("ground", rod, at=(0, 0), name=EVIL)
    model = replace(mechanism.model, description=EVIL)
    page = Page(report_page(run(model, t_end=0.1)))
    assert "script" not in page.tags
    assert sum(EVIL in text for text in page.texts) >= 4  # title, heading, body, joint


def test_a_run_that_failed_is_told_with_its_sentence():
    mechanism = Mechanism("falling apart")
    mass = mechanism.particle((1, 0), mass=1e-3)
    mechanism.spring(("ground", (0, 0)), (mass, (1, 0)), stiffness=1e6, free_length=0.5)
    results = run(mechanism.model, t_end=10.0, step=0.1, output_step=0.1, method="euler")
    assert results.ending.sentence
    assert results.ending.sentence in " ".join(Page(report_page(results)).texts)


def test_redundant_joints_are_named():
    mechanism = Mechanism("twice")
    box = mechanism.box((0, 0))
    mechanism.revolute("ground", box, at=(0, 0), name="one")
    mechanism.revolute("ground", box, at=(0, 0), name="other")
    words = " ".join(Page(report_page(run(mechanism.model, t_end=0.1))).texts)
    assert re.search(r"Redundant rows\s+2", words)
    for axis in "xy":
        assert f"'other' stops displacement along {axis}, which 'one' already does." in words


def test_parameters_and_tables_of_points_are_shown():
    page = Page(report_page(sample_results("car_suspension")))
    assert "Forces" in page.texts


def test_a_report_is_written_whole(tmp_path):
    path = tmp_path / "report.html"
    write_report(sample_results(), path)
    assert path.read_text(encoding="utf-8").endswith("</html>\n")
    assert [entry.name for entry in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("is_log", [False, True])
def test_a_plot_is_well_formed_whatever_the_values(is_log):
    t = np.linspace(0.0, 1.0, 50)
    for values in (np.zeros(50), np.full(50, 3.0), np.sin(t), np.full(50, np.nan), 1e-300 * t):
        text = curves_svg("<title>", t, [Curve("a & b", values)], "m", is_log=is_log)
        assert ElementTree.fromstring(text).tag.endswith("svg")
        assert "nan" not in text and "inf" not in text
    assert ElementTree.fromstring(curves_svg("nothing", np.zeros(0), [])) is not None


def test_ticks_are_round_and_cover_the_range():
    assert nice_ticks(0.0, 10.0) == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert nice_ticks(-0.3, 0.45) == pytest.approx([-0.4, -0.2, 0.0, 0.2, 0.4, 0.6])  # rounding
    low, *_, high = nice_ticks(5.0, 5.0)
    assert low < 5.0 < high


def test_thinning_keeps_every_peak():
    t = np.arange(1_000_000) * 1e-3
    values = np.sin(t)
    values[123_456] = 50.0
    few_t, few = thinned(t, values)
    assert len(few) <= 3 * COLUMNS and few.max() == 50.0 and few.min() == values.min()
    assert np.all(np.diff(few_t) > 0.0) and few_t[0] == t[0] and few_t[-1] == t[-1]
