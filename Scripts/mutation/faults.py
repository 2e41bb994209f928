"""The faults that Scripts/mutants plants, as the lists in Tests/Simulation name them."""

import re
import sys


class Edit:
    """The lines of a file that are there once, and those in their place."""

    def __init__(self, path, old, new):
        self.path, self.old, self.new = path, old, new

    @property
    def title(self):
        old, new = (" ".join(text.split()) for text in (self.old, self.new))
        return f"{old[:60]} → {new[:60] or '(left out)'}"


class Mutant:
    """A fault: one edit, or several with a name."""

    def __init__(self, name, line):
        self.name, self.line = name, line
        self.edits = []
        self.result = ""

    @property
    def title(self):
        return self.name or self.edits[0].title

    @property
    def path(self):
        return self.edits[0].path

    @property
    def text(self):
        return " ".join([self.title] + [edit.path + edit.old for edit in self.edits])

    @property
    def is_found(self):
        return self.result.startswith("found")

    @property
    def scenario(self):
        """What is played; an empty text for everything."""
        if self.path.startswith(("Sources/Swifty/Admission/", "Sources/Swifty/Composition/")):
            return ""
        if "/Caching/" in self.path or self.path.endswith(("Load+Cache.swift", "Load+Invalidation.swift")):
            return "caching"
        if "/HTTPAuthentication/" in self.path:
            return "challenges"
        if "/OAuth/" in self.path:
            return "tokens"
        return "transport" if self.path.startswith("Sources/SwiftyCurl/") else "pipeline"

    def suites(self, root):
        """A filter for the suites in the folder that is named like that of the fault; empty if there is none."""
        module, folder = self.path.split("/")[1:3]
        files = sorted((root / "Tests" / f"{module}Tests" / folder).rglob("*.swift"))
        names = [name for file in files for name in re.findall(r"^struct (\w+Tests) ", file.read_text(), re.MULTILINE)]
        return ["--filter", f"{module}Tests\\.({'|'.join(names)})/"] if names else []

    @property
    def tests(self):
        """The tests of the module that has the fault."""
        if self.path.startswith("Sources/SwiftyCurl/"):
            return ["--filter", "SwiftyCurlTests|ConformanceTests"]
        return ["--filter", "SwiftyTests|WebServiceDSLTests", "--skip", "CommandTests|CompileTests|StressTests"]


def read_list(path):
    """Reads blocks of lines: `@ file`, then `- ` for each line that is there, and `+ ` for each line in their place.
    Those that follow `= name` are one fault, up to the next name."""
    mutants, named, file, old, new, start = [], None, None, [], [], 0

    def finish():
        if old:
            mutant = named or Mutant("", start)
            mutant.edits.append(Edit(file, "\n".join(old), "\n".join(new)))
            if mutant not in mutants:
                mutants.append(mutant)
        old.clear()
        new.clear()

    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("@ "):
            finish()
            file = line[2:]
        elif line.startswith("= "):
            finish()
            named = Mutant(line[2:], number)
        elif line.startswith("- ") or line == "-":
            if new or not old:
                finish()
                start = number
            old.append(line[2:])
        elif line.startswith("+ ") or line == "+":
            new.append(line[2:])
        elif not line.strip():
            finish()
        elif not line.startswith("#"):
            sys.exit(f"{path}:{number}: neither =, @, -, + nor #")
    finish()
    return mutants
