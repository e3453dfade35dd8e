"""The report of a run: complete, self-contained, escaped; and its plots."""

import re
from dataclasses import replace
from html.parser import HTMLParser

from engine.editing.builder import Mechanism
from engine.running.simulate import run
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
    for told in ("Four-bar", "dop853", "Degrees of freedom", "crank – coupler", "Largest |Phi|"):
        assert told in words
    assert page.tags.count("svg") == 3  # energies, drift, constraints
    assert {"Bodies", "Joints", "Points", "Energy", "Constraints"} <= set(page.texts)
    assert "1 kg, 0.0833333 kg·m²" in words  # of the crank: m l^2 / 12


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


def test_values_are_in_the_units_of_the_user(preferences):
    preferences.set("length_unit", "cm")
    preferences.set("decimal_comma", True)
    results = sample_results()
    words = " ".join(Page(report_page(results, preferences=preferences)).texts)
    assert "rod (length 100 cm" in words and "(0; -9,81) m/s²" in words
    assert "1 kg, 0,0833333 kg·m²" in words and "rod (length 1 m" not in words
    preferences.set("decimal_comma", False)
    plain = " ".join(Page(report_page(results)).texts)
    assert "rod (length 1 m" in plain and "(0, -9.81) m/s²" in plain
