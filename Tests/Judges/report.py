"""What the program under test says of a file, and what comes of comparing it."""
import json
import pathlib
import subprocess
import sys

cache = pathlib.Path(".cache/formats").resolve()


class Report:
    def __init__(self, tool):
        self.tool = tool
        self.failures = []
        self.stricter = {}
        self.count = 0

    def inspect(self, *paths):
        """Returns the exit code and the summary of `inspect --json`; with one path, its file event too."""
        run = subprocess.run(
            [self.tool, "inspect", "--json", *map(str, paths)], capture_output=True, timeout=120
        )
        if run.returncode not in (0, 9):
            self.fail(f"{paths[0]}: exit code {run.returncode}: {run.stderr.decode()[:300]}")
            return run.returncode, {}, {}
        events = [json.loads(line) for line in run.stdout.splitlines()]
        files = [event for event in events if event.get("event") == "file"]
        return run.returncode, events[-1], files[0] if files else {}

    def code(self, path):
        """The code with which a file is refused; None if it is accepted."""
        exit_code, summary, _ = self.inspect(path)
        return summary["problems"][0]["code"] if exit_code == 9 else None

    def check(self, holds, text):
        self.count += 1
        if not holds:
            self.fail(text)

    def fail(self, text):
        self.failures.append(text)
        print(f"FAILED  {text}", flush=True)

    def stricter_than(self, runtime, name, reason):
        """Notes what is refused here and loaded there."""
        self.stricter.setdefault((runtime, reason), []).append(name)

    def finish(self):
        if self.stricter:
            print("== refused here, loaded there")
            for (runtime, reason), names in sorted(self.stricter.items()):
                shown = ", ".join(map(str, names[:4])) + (", ..." if len(names) > 4 else "")
                print(f"{runtime:12} {reason:20} {len(names):4}  {shown}")
        print(f"{self.count} comparisons, {len(self.failures)} failures")
        sys.exit(1 if self.failures else 0)
