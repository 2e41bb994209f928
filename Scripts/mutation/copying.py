"""A copy of the sources, in which faults are planted, compiled, simulated and tested."""

import os
import re
import subprocess
import time

SIMULATION = ["swift", "build", "--package-path", "Tests/Simulation", "--configuration", "release"]
SIMULATION += ["--product", "simulate", "--static-swift-stdlib", "-Xswiftc", "-enable-testing"]
TESTS = ["swift", "build", "--build-tests"]


def environment(number):
    """That of a process in which fault `number` is planted; none if it is `None`."""
    own = {"SWIFTY_FAULT": str(number)} if number is not None else {}
    return {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1", **own}


class Copy:
    """A copy of the sources below .build, so that the tree never changes, and may change during a run."""

    def __init__(self, root):
        self.root, self.path = root, root / ".build" / "mutants"
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=self.root, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        files = [name for name in listed if (root / name).is_file()]
        self.sources = {name: ((root / name).read_bytes(), (root / name).stat().st_mode) for name in files}

    def update(self):
        """Takes all faults out of it; what has not changed is not built again."""
        for folder in ("Sources", "Tests"):
            for path in (self.path / folder).rglob("*"):
                name = path.relative_to(self.path)
                if path.is_file() and ".build" not in name.parts and str(name) not in self.sources:
                    path.unlink()
        for name, (content, mode) in self.sources.items():
            target = self.path / name
            if target.is_file() and target.read_bytes() == content:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            target.chmod(mode)

    def compile(self, command):
        """Returns what the compiler refuses; nothing if it has compiled."""
        # The package manager keeps the list of files of its last build.
        for manifest in (self.path / ".build").glob("*.yaml"):
            manifest.unlink()
        for manifest in (self.path / "Tests/Simulation/.build").glob("*.yaml"):
            manifest.unlink()
        run = subprocess.run(command, cwd=self.path, capture_output=True, text=True)
        return "" if run.returncode == 0 else run.stdout + run.stderr

    def simulate(self, options, number=None, limit=None):
        program = self.path / "Tests/Simulation/.build/release/simulate"
        return subprocess.run(
            [program, *options], capture_output=True, text=True, errors="replace", timeout=limit,
            env=environment(number),
        )

    def digest(self):
        """The last line's digest of a fixed number of histories: equal for sources that do the same."""
        return self.simulate(["--seed", "1", "--histories", "5000"]).stdout.split()[-1:]

    def play(self, mutant, seconds, number=None):
        """Runs the simulation until its first finding; returns the result for the table."""
        options = ["--seconds", str(seconds), "--stop", "--no-shrink"]
        if mutant.scenario:
            options += ["--only", mutant.scenario]
        start = time.time()
        try:
            run = self.simulate(options, number, limit=seconds + 60)
        except subprocess.TimeoutExpired:
            return "found: it does not end"
        if run.returncode == 0:
            return "NOT FOUND"
        taken = f"{time.time() - start:.0f} s"
        finding = re.search(r"^FINDING in \w+: (.*)$", run.stdout, re.MULTILINE)
        place = re.search(r"--seed (\d+).* --history (\d+)", run.stdout)
        if not finding or not place:
            return f"found after {taken}: a crash"
        return f"found after {taken}: {finding[1]} (seed {place[1]}, history {place[2]})"

    def prepare_tests(self):
        """The tests use programs that are installed beside the sources."""
        command = ["Scripts/install-dependencies", "--tests"]
        subprocess.run(command, cwd=self.root, check=True, stdout=subprocess.DEVNULL)
        programs = self.path / ".venv"
        if not programs.exists():
            programs.symlink_to(self.root / ".venv")

    def failing_tests(self, filters, number=None):
        """Runs tests for at most twenty minutes; gives the name of each that fails, or None if they crash or do not
        end."""
        command = ["swift", "test", "--disable-xctest", "--skip-build", *filters]
        command += ["--experimental-maximum-parallelization-width", "16"]
        run = subprocess.Popen(
            ["timeout", "--kill-after=5", "1200", *command], cwd=self.path, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace", env=environment(number),
        )
        has_failed = False
        try:
            for line in run.stdout:
                failure = re.search(r"✘ Test (.*?) (?:with .*)?(?:recorded|failed)", line)
                if failure:
                    has_failed = True
                    yield failure[1]
            if run.wait() != 0 and not has_failed:
                yield None
        finally:
            run.terminate()
            run.wait()

    def test(self, mutant, known, number=None):
        """Runs the tests of its folder, then those of its module, until one fails that does not fail without it."""
        for filters in filter(None, [mutant.suites(self.path), mutant.tests]):
            for name in self.failing_tests(filters, number):
                if name is None:
                    return "found by the tests: they do not end, or crash"
                if name not in known:
                    return f"found by the test {name}"
        return "NOT FOUND, by no test either"
