"""The block `view` of a model file: plots, arrows, trails, sliders and camera.

Files are untrusted: owners of channels and sliders must be there, and all lists are short.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from engine.errors import EngineError, say
from engine.files.encoding import fields_from, raw_fields, read, said
from engine.model.catalogue import suggestion
from engine.model.elements import Element, Id
from engine.model.views import (
    ARROWS,
    MOST_PLOTS,
    PLOTS,
    Camera,
    Curves,
    Plot,
    Portrait,
    Section,
    View,
)
from engine.model.views.plots import DIRECTIONS, owner_of

MOST_SLIDERS = 1000
MOST_CHANNELS = 100  # of one plot
LONGEST_NAME = 200  # characters of the name of a channel
FIELDS = tuple(f.name for f in fields(View))
LISTS = ("sliders", "plots", "arrows", "camera")  # all other fields have a role

Elements = Mapping[Id, Element]


def raw_view(view: View) -> dict[str, Any]:
    """The view as raw data, without what is empty or as usual."""
    raw: dict[str, Any] = {}
    if view.sliders:
        raw["sliders"] = list(view.sliders)
    if view.plots:
        raw["plots"] = [_raw_plot(plot) for plot in view.plots]
    if view.arrows:
        raw["arrows"] = list(view.arrows)
    raw |= raw_fields(view, say("The view"))
    if view.camera is not None:
        place = {"focus": [float(x) for x in view.camera.focus]} if view.camera.height else {}
        raw["camera"] = {**place, **raw_fields(view.camera, say("The camera"))}
    return raw


def _raw_plot(plot: Plot) -> dict[str, Any]:
    raw = {"kind": plot.kind, **raw_fields(plot, say("A plot"))}
    if isinstance(plot, Curves):
        raw["channels"] = list(plot.channels)
    if isinstance(plot, Portrait) and plot.section is not None:
        raw["section"] = raw_fields(plot.section, say("A section"))
    return raw


def view_from(raw: Any, elements: Elements, dim: int) -> View:
    """The view in raw data; EngineError for what the model has not."""
    _check_keys(raw, FIELDS, say("The view"))
    plain = {key: value for key, value in raw.items() if key not in LISTS}
    view = View(**fields_from(View, plain, say("The view")))
    _check_sizes(say("The view"), arrow_scale=view.arrow_scale, beams_bent=view.beams_bent)
    return replace(
        view,
        sliders=_sliders(raw.get("sliders", []), elements),
        plots=_plots(raw.get("plots", []), elements),
        arrows=_arrows(raw.get("arrows", [])),
        camera=_camera(raw["camera"], dim) if "camera" in raw else None,
    )


def _check_keys(raw: Any, known: tuple[str, ...], place: str) -> None:
    """Raise EngineError unless this is an object with known keys alone."""
    if not isinstance(raw, dict):
        raise EngineError(
            "{place} must be an object {{...}}, not {raw}.", place=place, raw=said(raw)
        )
    for key in raw:
        if key not in known:
            raise EngineError(
                "{place} has no {key}{suggestion}",
                place=place,
                key=said(key),
                suggestion=suggestion(key, known),
            )


def _sliders(raw: Any, elements: Elements) -> tuple[Id, ...]:
    """The parameters with sliders on the stage."""
    if not isinstance(raw, list) or len(raw) > MOST_SLIDERS:
        raise EngineError(
            "The sliders of the view must be a list of parameters, not {raw}.", raw=said(raw)
        )
    for id in raw:
        element = elements.get(id) if isinstance(id, str) else None
        if element is None or element.family != "parameter":
            raise EngineError(
                "The view has a slider for {id}, but there is no parameter of this name; add it, or "
                "remove the slider.",
                id=said(id),
            )
    if len(set(raw)) < len(raw):
        raise EngineError("The view has two sliders for one parameter; delete one of them.")
    return tuple(raw)


def _arrows(raw: Any) -> tuple[str, ...]:
    """The kinds of arrows that are shown."""
    if not isinstance(raw, list) or any(kind not in ARROWS for kind in raw):
        raise EngineError(
            "The arrows of the view must be a list of {known}, not {raw}.",
            known=", ".join(ARROWS),
            raw=said(raw),
        )
    return tuple(kind for kind in ARROWS if kind in raw)


def _camera(raw: Any, dim: int) -> Camera:
    """From where the drawing is seen."""
    place = say("The camera of the view")
    _check_keys(raw, tuple(f.name for f in fields(Camera)), place)
    rest = {key: value for key, value in raw.items() if key != "focus"}
    focus = {"role": "vector", "size": dim, "unit": "m"}
    camera = Camera(
        focus=read(raw.get("focus", [0.0] * dim), focus, say("The focus of the camera")),
        **fields_from(Camera, rest, place),
    )
    _check_numbers((*camera.focus, camera.azimuth, camera.elevation), place)
    if camera.height is not None:
        _check_sizes(place, height=camera.height)
    return camera


def _check_numbers(values: tuple[Any, ...], place: str) -> None:
    """Raise EngineError for an expression where only a number can be."""
    for value in values:
        if isinstance(value, str):
            raise EngineError("{place} needs numbers, not {value}.", place=place, value=said(value))


def _check_sizes(place: str, **sizes: Any) -> None:
    """Raise EngineError for a size that is no number above zero."""
    _check_numbers(tuple(sizes.values()), place)
    for name, size in sizes.items():
        if not size > 0.0:
            raise EngineError(
                "{place}: '{name}' must be above zero, not {size}.",
                place=place,
                name=name,
                size=size,
            )


def _plots(raw: Any, elements: Elements) -> tuple[Plot, ...]:
    """The plots, in their order."""
    if not isinstance(raw, list) or len(raw) > MOST_PLOTS:
        raise EngineError(
            "The plots of the view must be a list of at most {most}, not {raw}.",
            most=MOST_PLOTS,
            raw=said(raw),
        )
    return tuple(_plot(one, elements, say("Plot {n}", n=n)) for n, one in enumerate(raw, 1))


def _plot(raw: Any, elements: Elements, place: str) -> Plot:
    """One plot."""
    if not isinstance(raw, dict):
        raise EngineError(
            "{place} must be an object {{...}}, not {raw}.", place=place, raw=said(raw)
        )
    known = {cls.kind: cls for cls in PLOTS}
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in known:
        raise EngineError(
            "{place} has the kind {kind}; there are {known}.",
            place=place,
            kind=said(kind),
            known=", ".join(known),
        )
    cls = known[kind]
    _check_keys(raw, ("kind", *(f.name for f in fields(cls))), place)
    rest = {k: x for k, x in raw.items() if k not in ("kind", "channels", "section")}
    plot: Plot = cls(**fields_from(cls, rest, place))
    if isinstance(plot, Curves):
        plot = replace(plot, channels=_channels(raw.get("channels", []), place))
    if isinstance(plot, Portrait) and raw.get("section") is not None:
        plot = replace(plot, section=_section(raw["section"], elements, place))
    for name in plot.names:
        _check_channel(name, elements, place)
    return plot


def _channels(raw: Any, place: str) -> tuple[str, ...]:
    """The names of the curves of a plot."""
    if not isinstance(raw, list) or len(raw) > MOST_CHANNELS:
        raise EngineError(
            "{place}: 'channels' must be a list of at most {most} names, not {raw}.",
            place=place,
            most=MOST_CHANNELS,
            raw=said(raw),
        )
    names = tuple(read(name, {"role": "text"}, place) for name in raw)
    if len(set(names)) < len(names):
        raise EngineError("{place} has the same curve twice; delete one.", place=place)
    return names


def _section(raw: Any, elements: Elements, place: str) -> Section:
    """When points of a portrait are taken."""
    _check_keys(raw, tuple(f.name for f in fields(Section)), place)
    section = Section(**fields_from(Section, raw, place))
    _check_numbers((section.period, section.value), place)
    if section.direction not in DIRECTIONS:
        raise EngineError(
            "{place}: 'direction' is one of {known}, not {given}.",
            place=place,
            known=", ".join(DIRECTIONS),
            given=said(section.direction),
        )
    if section.channel:
        _check_channel(section.channel, elements, place)
    return section


def _check_channel(name: str, elements: Elements, place: str) -> None:
    """Raise EngineError for the name of a channel that the model cannot have."""
    owner = owner_of(name)
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise EngineError("{place}: {name} is no name of a channel.", place=place, name=said(name))
    if owner and owner not in elements:
        raise EngineError(
            "{place} shows {name}, but there is no element {owner}; remove this curve.",
            place=place,
            name=said(name),
            owner=said(owner),
        )
