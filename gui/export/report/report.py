"""The report of a run: one self-contained HTML page that prints well."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from engine import __version__
from engine.files.atomic import replace_file
from engine.kinematics.mobility import mobility
from engine.model.catalogue import ELEMENTS
from engine.model.elements import GROUND, Element, Model, Settings
from engine.results.results import Results
from engine.studies.pictures import time_plot
from gui.export.report.report_style import STYLE
from gui.forms.methods import settings_that_matter, why_unused
from gui.forms.words import family_words, field_words, kind_words
from gui.running.values import Values
from gui.state.preferences import Preferences

FAMILIES = ("body", "joint", "motion", "force", "marker")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"  # no script, no network


def write_report(
    results: Results,
    path: str | Path,
    picture: bytes = b"",
    preferences: Preferences | None = None,
) -> None:
    """Write the page; `picture` is the model as SVG. On any failure an old file stays."""
    text = report_page(results, picture, preferences)
    replace_file(path, lambda file: file.write(text.encode()), "write")


def report_page(
    results: Results, picture: bytes = b"", preferences: Preferences | None = None
) -> str:
    """The whole page as text; whatever the user named is escaped. Values are in the units of the user."""
    model, values = results.model, Values(preferences)
    title = model.name or _tr("Mechanism")
    body = [
        f"<header><h1>{escape(title)}</h1><p class='quiet'>{_made()}</p></header>",
        f"<p>{escape(model.description)}</p>" if model.description else "",
        _picture(picture, title),
        _ending(results),
        "<div class='columns'>",
        _section(_tr("Settings"), _pairs(_settings(results, values))),
        _section(_tr("How it went"), _pairs(_statistics(results, values))),
        "</div>",
        _section(_tr("Degrees of freedom"), _mobility(results)),
        _section(_tr("Energy"), _energy_plots(results)) if len(results) else "",
        _section(_tr("Constraints"), _constraint_plots(results)) if results.compiled.n_rows else "",
        _section(_tr("Parameters"), _parameters(model, values)) if model.of("parameter") else "",
        *(_elements(results, family, values) for family in _families(model)),
    ]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>"
        f"{''.join(body)}</main></body></html>\n"
    )


def _made() -> str:
    """Which program wrote the page, and when."""
    when = datetime.now().strftime("%Y-%m-%d %H:%M")
    return escape(_tr("Run report of Kardan {0}, {1}").format(__version__, when))


def _picture(svg: bytes, title: str) -> str:
    """The model as a vector picture inside the page."""
    if not svg:
        return ""
    data = base64.b64encode(svg).decode("ascii")
    alt = escape(_tr("The mechanism {0}").format(title), quote=True)
    return f'<img class="model" alt="{alt}" src="data:image/svg+xml;base64,{data}">'


def _ending(results: Results) -> str:
    """A remark if the run did not reach its end."""
    ending = results.ending
    if ending is None:
        return f"<p class='warning'>{escape(_tr('The run was still going on.'))}</p>"
    kind = "told" if ending.reason == "stopped" else "warning"
    return f"<p class='{kind}'>{escape(ending.sentence)}</p>" if ending.sentence else ""


def _settings(results: Results, values: Values) -> dict[str, str]:
    """The settings of the run by name."""
    pairs, known = {}, {one.name: one for one in fields(Settings)}
    for name in settings_that_matter(list(known), results.settings, results.model):
        if why_unused(name, results.settings):
            continue
        one = known[name]
        value, unit = getattr(results.settings, one.name), one.metadata.get("unit", "")
        pairs[field_words(one.name, "settings")] = values.said(value, unit)
    return {**pairs, _tr("Gravity"): values.said(tuple(results.model.gravity), "m/s^2")}


def _statistics(results: Results, values: Values) -> dict[str, str]:
    """What the run cost and how accurate it is, in the words of its summary."""
    lines = results.summary().splitlines()
    pairs = dict(line.split(":", 1) for line in lines if ":" in line)
    left_out = ("Model", "Freedom", "Method", "Ended early")
    told = {key: words.strip() for key, words in pairs.items() if key not in left_out}
    counted = results.statistics
    if counted is not None:
        told[_tr("Evaluations")] = f"{counted.evaluations}"
        if results.compiled.n_rows:
            told[_tr("Gap as drawn")] = values.said(counted.drawn_gap, "m or rad")
    return told


def _mobility(results: Results) -> str:
    """Degrees of freedom by rank and by counting, and redundant constraints."""
    state = (results.q[0], results.v[0], float(results.t[0])) if len(results) else ()
    found = mobility(results.compiled, *state)
    table = _pairs(
        {
            _tr("Degrees of freedom"): f"{found.dof}",
            _tr("By counting"): f"{found.gruebler}",
            _tr("Constraint rows"): _tr("{0}, of rank {1}").format(found.n_rows, found.rank),
            _tr("Redundant rows"): f"{found.redundant}",
            _tr("Class"): found.kind,
        }
    )
    sentences = "".join(f"<li>{escape(sentence)}</li>" for sentence in found.sentences)
    return table + (f"<ul class='warning'>{sentences}</ul>" if sentences else "")


def _energy_plots(results: Results) -> str:
    """Kinetic, potential and total energy, the work done, and what their balance leaves open."""
    names = ["kinetic_energy", "potential_energy", "total_energy"]
    channels = [results.channel(name) for name in names]
    curves = {c.label.removesuffix(" energy").lower(): c.values for c in channels}
    if results.compiled.work_ids:
        curves[_tr("work")] = results["work"]
    title = _tr("Energy error: total energy less work and start")
    return _plot(_tr("Energy"), results, curves, "J") + _plot(
        title, results, {_tr("error"): results["energy_drift"]}, "J"
    )


def _constraint_plots(results: Results) -> str:
    """How far joints were open, on a logarithmic axis."""
    curves = {
        _tr("in frames"): results["constraint_violation"],
        _tr("before closing"): results.gap,
    }
    title = _tr("Largest violation of a joint")
    return _plot(title, results, curves, "m or rad", is_log=True)


def _plot(
    title: str, results: Results, curves: dict[str, Any], unit: str, *, is_log: bool = False
) -> str:
    """Curves over time as a figure of the page."""
    picture = time_plot(title, results.t, curves, unit, is_log=is_log)
    return f"<figure class='plot'>{picture}</figure>"


def _parameters(model: Model, values: Values) -> str:
    rows = [(p.id, p.name, values.said(p.value, p.unit)) for p in model.of("parameter")]
    return _table((_tr("Parameter"), _tr("Name"), _tr("Value")), rows)


def _families(model: Model) -> list[str]:
    """The families of elements that the model has, the usual ones first."""
    known = dict.fromkeys((*FAMILIES, *(kind.family for kind in ELEMENTS)))
    return [family for family in known if family != "parameter" and model.of(family)]


def _elements(results: Results, family: str, values: Values) -> str:
    """A table of the elements of one family: what each is, what it joins, and its values."""
    model, rows = results.model, []
    for element in model.of(family):
        second = _mass(results, element, values) if family == "body" else _joined(model, element)
        kind = kind_words(element.kind, model.dim)
        rows.append((element.label, kind, second, _values(element, model.dim, values)))
    second = _tr("Mass and inertia") if family == "body" else _tr("On")
    heads = (_tr("Name"), _tr("Kind"), second, _tr("Values that are set"))
    return _section(family_words(family), _table(heads, rows))


def _mass(results: Results, body: Any, values: Values) -> str:
    """Mass and inertia as the run had them."""
    compiled = results.compiled
    if body.id not in compiled.body_ids:
        return _tr("fixed")
    k = compiled.body_ids.index(body.id)
    J = compiled.system.bodies[k]["J"]
    size = 1 if compiled.system.dim == 2 else 3
    moments = tuple(float(J[n, n]) for n in range(size))
    told = values.said(float(compiled.mass[k]), "kg")
    if compiled.is_particle[k]:
        return told
    inertia = values.said(moments if size > 1 else moments[0], "kg m^2")
    return f"{told}, {inertia}"


def _joined(model: Model, element: Element) -> str:
    """The bodies, or other elements, that an element refers to."""
    names = []
    for one in fields(element):
        id = getattr(element, one.name) if one.metadata.get("role") == "ref" else ""
        target = model.elements.get(id)
        if target is not None and target.family == "marker":
            id = target.body
            target = model.elements.get(id)
        if id:
            names.append(_tr("ground") if id == GROUND else target.label if target else id)
    return " – ".join(names)


def _values(element: Element, dim: int, values: Values) -> str:
    """The fields that are not at their default, with units."""
    told = []
    for one in fields(element):
        value = getattr(element, one.name)
        role = one.metadata.get("role")
        if role in (None, "ref") or one.name == "name" or value == one.default:
            continue
        if role == "shape":
            told.append(_shape(value, dim, values))
            continue
        unit = one.metadata.get("unit", "")
        number = unit if not isinstance(value, str) or role == "number" else ""
        told.append(f"{_word(one.name, element.kind, dim)} {values.said(value, number)}")
    return ", ".join(part for part in told if part)


def _shape(shape: Any, dim: int, values: Values) -> str:
    """A shape with its measures."""
    measures = []
    kind = getattr(shape, "kind", type(shape).__name__.lower())
    for one in fields(shape):
        value = getattr(shape, one.name)
        if one.metadata.get("role") == "number" and value is not None:
            word = _word(one.name, kind, dim)
            measures.append(f"{word} {values.said(value, one.metadata.get('unit', ''))}")
    return f"{kind} ({', '.join(measures)})" if measures else str(kind)


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _pairs(pairs: dict[str, str]) -> str:
    rows = (f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in pairs.items())
    return f"<table class='pairs'>{''.join(rows)}</table>"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _word(field: str, kind: str, dim: int) -> str:
    """The name of a field within a sentence."""
    words = field_words(field, kind, dim)
    return words[:1].lower() + words[1:]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Report", text)
