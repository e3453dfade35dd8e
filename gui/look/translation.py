"""What belongs to the language of the user: texts marked for translation, and the separator of numbers.

A text is marked where it is declared; it is translated where it is shown.
"""

from PySide6.QtCore import QLocale


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """The text as it is; pyside6-lupdate finds it by the name of this function.

    Qt's own function of this name is declared to return any object.
    """
    return text


def choose_separator(decimal_comma: bool) -> None:
    """Let all numbers be written with a comma or a point; changes Qt's default locale.

    Spin boxes and validators read it too, so that they agree with every text.
    """
    place = QLocale.Country.Germany if decimal_comma else QLocale.Country.UnitedStates
    locale = QLocale(QLocale.Language.English, place)
    option = QLocale.NumberOption
    locale.setNumberOptions(option.OmitGroupSeparator | option.RejectGroupSeparator)
    QLocale.setDefault(locale)


def separated(text: str) -> str:
    """A number that was written with a point, with the separator of the user."""
    return text.replace(".", QLocale().decimalPoint())
