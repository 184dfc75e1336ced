"""On which line of a TOML text does each key stand? tomllib keeps no line numbers.

The text is one that tomllib has read, so nothing is checked again here.
"""

from __future__ import annotations

from bisect import bisect_right

Path = tuple[str, ...]

_SPACE = " \t"
_BLANK = " \t\r\n"
_ENDS_BARE_KEY = " \t.=]"
_ENDS_SCALAR = ",]}#\n"


def locate(text: str) -> dict[Path, int]:
    """The line (from 1) of every table, key and array item, by its path.

    Array items have their position as a key: ("tree", "stop", "0", "use").
    """
    return _Scan(text).document()


class _Scan:
    """One pass over the text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.newlines = [i for i, char in enumerate(text) if char == "\n"]
        self.lines: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def document(self) -> dict[Path, int]:
        table: Path = ()
        self.skip_blank()
        while self.at < len(self.text):
            if self.text.startswith("[[", self.at):
                table = self.header(2)
            elif self.text[self.at] == "[":
                table = self.header(1)
            else:
                self.pair(table)
            self.skip_blank()
        return self.lines

    def header(self, brackets: int) -> Path:
        """A table or an item of an array of tables; gives its path."""
        line = self.line()
        self.at += brackets
        keys = self.keys()
        self.at += brackets
        path: Path = ()
        for i, key in enumerate(keys):
            path = (*path, key)
            self.lines.setdefault(path, line)
            if brackets == 2 and i == len(keys) - 1:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, str(self.counts[path] - 1))
                self.lines.setdefault(path, line)
        return path

    def pair(self, table: Path) -> None:
        line = self.line()
        path = table
        for key in self.keys():
            path = (*path, key)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def keys(self) -> list[str]:
        """A dotted key, up to the character that ends it."""
        found = []
        while True:
            self.skip(_SPACE)
            begin = self.at
            if self.text[begin] in "\"'":
                self.string()
                found.append(_unquoted(self.text[begin : self.at]))
            else:
                while self.text[self.at] not in _ENDS_BARE_KEY:
                    self.at += 1
                found.append(self.text[begin : self.at])
            self.skip(_SPACE)
            if self.text[self.at] != ".":
                return found
            self.at += 1

    def value(self, path: Path) -> None:
        char = self.text[self.at]
        if char == "[":
            self.array(path)
        elif char == "{":
            self.inline_table(path)
        elif char in "\"'":
            self.string()
        else:
            while self.at < len(self.text) and self.text[self.at] not in _ENDS_SCALAR:
                self.at += 1

    def array(self, path: Path) -> None:
        self.at += 1
        position = 0
        while self.next_item("]"):
            item = (*path, str(position))
            self.lines[item] = self.line()
            self.value(item)
            position += 1

    def inline_table(self, path: Path) -> None:
        self.at += 1
        while self.next_item("}"):
            self.pair(path)

    def next_item(self, closing: str) -> bool:
        """Go to the next item of an array or inline table; False past its end."""
        self.skip_blank()
        while self.text[self.at] == ",":
            self.at += 1
            self.skip_blank()
        if self.text[self.at] == closing:
            self.at += 1
            return False
        return True

    def string(self) -> None:
        quote = self.text[self.at]
        triple = quote * 3
        if self.text.startswith(triple, self.at):
            self.at += 3
            self.skip_to(triple, escapes=quote == '"')
            # Up to two more quotes before the closing three belong to the string.
            while self.at < len(self.text) and self.text[self.at] == quote:
                self.at += 1
        else:
            self.at += 1
            self.skip_to(quote, escapes=quote == '"')

    def skip_to(self, closing: str, escapes: bool) -> None:
        """Past the next `closing` that no backslash guards."""
        while not self.text.startswith(closing, self.at):
            self.at += 2 if escapes and self.text[self.at] == "\\" else 1
        self.at += len(closing)

    def skip(self, chars: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in chars:
            self.at += 1

    def skip_blank(self) -> None:
        """Past white space, line ends and comments."""
        self.skip(_BLANK)
        while self.at < len(self.text) and self.text[self.at] == "#":
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
            self.skip(_BLANK)

    def line(self) -> int:
        return bisect_right(self.newlines, self.at - 1) + 1


def _unquoted(key: str) -> str:
    import tomllib

    (name,) = tomllib.loads(f"{key} = 0")
    return name
