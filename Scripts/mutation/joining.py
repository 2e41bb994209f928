"""Joins faults, so that all of them are compiled once: `hasFault(7)` says at run time whether fault 7 is planted.

A fault is joined if it changes whole statements, conditions, or a value. The others, such as those that leave out a
`case`, are built one at a time.
"""

import difflib
import re

# What declares a name that later lines use must stay where it is.
DECLARATION = re.compile(
    r"^\s*(?:let|var|func|case|default|init|struct|mutating|private|static|defer)\b"
    r"|^\s*guard .*\b(?:let|case) .* else\b"
)
# What continues the line before it.
CONTINUATION = re.compile(r"^\s*[.&|?:+)\]}]")
# The beginning, the conditions and the end of a line.
CONDITIONS = re.compile(r"^(\s*(?:\} else )?(?:if|guard|while) )(.*?)( (?:\{|else \{.*|else))$")
# Lines with one value: the beginning, the value and the end.
VALUES = [
    re.compile(r"^(\s*(?:let|var) [^={]* = )(.*)()$"),
    re.compile(r"^(\s*(?:guard|if) let \w+ = )(.*)( (?:else )?\{.*)$"),
    re.compile(r"^(\s*for \w+ in )(.*)( \{)$"),
    re.compile(r"^(\s*case [^:]*: (?:return )?)(.*)()$"),
    re.compile(r"^(\s*return )(.*)()$"),
    re.compile(r"^(\s*\} while )(.*)()$"),
    re.compile(r"^(\s*defer \{ \w+ = )(.*)( \})$"),
    re.compile(r"^(\s*.*\b(?:var|func)\b.*?\{ )(.*)( \})$"),
    re.compile(r"^(\s*\}\.\w+ \{ )(.*)( \})$"),
    re.compile(r"^(\s*\w+: )(.*?)(,?)$"),
]
OPERAND = re.compile(r"^(\s*(?:&&|\|\|) )(.*)()$")
FIRST_OPERAND = re.compile(r"^(\s*)(.*)()$")


class Place:
    """The whole lines that a fault changes, and the lines around them."""

    def __init__(self, text, edit):
        at = text.index(edit.old)
        end = at + len(edit.old)
        self.start = text.rfind("\n", 0, at) + 1
        self.end = end if text[end] == "\n" else text.index("\n", end)
        self.old = text[self.start:self.end]
        self.new = text[self.start:at] + edit.new + text[end:self.end]
        self.trim()
        self.before = text[:self.start].rstrip().rpartition("\n")[2].partition(" //")[0].strip()
        self.after = text[self.end:].lstrip()

    def trim(self):
        """Leaves out the first and last lines that stay as they are, up to one line."""
        old, new = self.old.split("\n"), self.new.split("\n")
        while len(old) > 1 and new and old[0] == new[0]:
            self.start += len(old.pop(0)) + 1
            new.pop(0)
        while len(old) > 1 and new and old[-1] == new[-1]:
            self.end -= len(old.pop()) + 1
            new.pop()
        self.old, self.new = "\n".join(old), "\n".join(new)

    @property
    def is_line(self):
        return "\n" not in self.old

    @property
    def continues(self):
        """Whether the lines are a part of an expression that began before them, or ends after them."""
        if re.match(r"(?:case\b.*|default):$", self.before):
            return False
        return self.after.startswith(("&&", "||", "? ", "+ ")) or self.before.endswith(tuple("(,:=") + ("&&", "||"))

    @property
    def is_first_operand(self):
        """Whether the line is the beginning of the operands that the next line continues."""
        operator = self.after[:2]
        other = {"&&": "||", "||": "&&"}.get(operator)
        return other is not None and not self.old.lstrip().startswith(("&&", "||")) and (
            operator == "||" or other not in self.old + self.new
        )


def is_balanced(text):
    closing, expected, quoted = {"(": ")", "[": "]", "{": "}"}, [], False
    for character in text:
        if character == '"':
            quoted = not quoted
        elif not quoted and character in closing:
            expected.append(closing[character])
        elif not quoted and character in ")]}":
            if not expected or expected.pop() != character:
                return False
    return not expected


def parts(conditions):
    """The conditions that commas separate."""
    found = [""]
    for each in conditions.split(","):
        if found[-1] and not is_balanced(found[-1]):
            found[-1] += "," + each
        else:
            found.append(each.strip())
    return found[1:]


def chosen(number, old, new):
    return f"(hasFault({number}) ? ({new}) : ({old}))"


def joined_conditions(number, place):
    form = CONDITIONS
    if place.before.endswith(",") and place.after.startswith("else"):
        form = FIRST_OPERAND
    old, new = form.match(place.old), form.match(place.new)
    if not place.is_line or not old or not new or (old[1], old[3]) != (new[1], new[3]):
        return None
    result, olds, news = [], parts(old[2]), parts(new[2])
    for kind, a, b, c, d in difflib.SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if kind == "equal":
            result += olds[a:b]
            continue
        if any(re.match(r"(?:let|case|var)\b", each) for each in olds[a:b] + news[c:d]):
            return None
        before, after = (" && ".join(f"({each})" for each in some) or "true" for some in (olds[a:b], news[c:d]))
        result.append(chosen(number, before, after))
    return old[1] + ", ".join(result) + old[3]


def joined_value(number, place):
    for form in VALUES + [OPERAND] + ([FIRST_OPERAND] if place.is_first_operand else []):
        old, new = form.match(place.old), form.match(place.new)
        if place.is_line and old and new and (old[1], old[3]) == (new[1], new[3]) and is_balanced(old[2] + new[2]):
            return old[1] + chosen(number, old[2], new[2]) + old[3]
    return None


def joined_operand(number, place):
    """An operand of `&&` or `||` that is left out."""
    old = OPERAND.match(place.old)
    if not place.is_line or not old or place.new.strip() or not is_balanced(old[2]):
        return None
    return old[1] + chosen(number, old[2], "true" if "&" in old[1] else "false")


def joined_statements(number, place):
    for text in (place.old, place.new):
        lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("//")]
        indentation = min((len(line) - len(line.lstrip()) for line in lines), default=0)
        outer = [line for line in lines if len(line) - len(line.lstrip()) == indentation]
        if not is_balanced(text) or any(DECLARATION.match(line) for line in outer):
            return None
        if any(CONTINUATION.match(line) for line in outer[:1]):
            return None
    if not place.new.strip():
        return f"if !hasFault({number}) {{\n{place.old}\n}}"
    return f"if hasFault({number}) {{\n{place.new}\n}} else {{\n{place.old}\n}}"


def joined_text(number, place):
    """What has the fault or not, as `hasFault` says; `None` if it takes a build for itself."""
    joined = joined_conditions(number, place) or joined_value(number, place) or joined_operand(number, place)
    if joined or place.continues:
        return joined
    return joined_statements(number, place)


def join(faults, root):
    """Changes the sources of a copy so that they have all of the faults that can be joined, each by its number.

    - Returns: the numbers of those.
    """
    places, joined, changed = {}, set(), {}
    for number, fault in faults.items():
        if len(fault.edits) == 1:
            text = (root / fault.path).read_text()
            places.setdefault(fault.path, []).append((Place(text, fault.edits[0]), number))
    for path, own in places.items():
        text = (root / path).read_text()
        following = len(text)
        # From the end to the beginning, so that the places stay right.
        for place, number in sorted(own, key=lambda each: -each[0].start):
            replacement = joined_text(number, place) if place.end <= following else None
            if replacement:
                text = text[:place.start] + replacement + text[place.end:]
                following = place.start
                joined.add(number)
        changed[path] = text
    for path, text in changed.items():
        (root / path).write_text(text)
    for module in {path.split("/")[1] for path in changed}:
        (root / "Sources" / module / "PlantedFault.swift").write_text(SWITCH)
    return joined


def faults_in_errors(output):
    """The numbers of the faults at or next to the lines that the compiler refuses."""
    numbers = set()
    for path, line in set(re.findall(r"^(/\S+\.swift):(\d+):\d+: error:", output, re.MULTILINE)):
        lines = open(path).read().splitlines()
        near = sorted(range(len(lines)), key=lambda index: abs(index - int(line) + 1))[:12]
        numbers |= set([int(number) for i in near for number in re.findall(r"hasFault\((\d+)\)", lines[i])][:1])
    return numbers


SWITCH = """\
import Foundation

private let planted = getenv("SWIFTY_FAULT").flatMap { Int(String(cString: $0)) }

@inline(never) func hasFault(_ number: Int) -> Bool { planted == number }
"""
