"""The mutated sources, the test programs built of them, and the mutants that do not compile."""

import hashlib
import json
import pickle
import re
import subprocess
from pathlib import Path

import clang.cindex

from mutants import Finder, number
from schemata import Writer

HERE = Path(__file__).parent
ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+):\s+(?:error: |required from here)", re.MULTILINE)


def parse_arguments(command):
    """Of a compile command what libclang needs; it comes without headers of its own, g++'s will do."""
    builtin = subprocess.run(["g++", "-print-file-name=include"], capture_output=True, text=True, check=True)
    words = command.split()
    kept = [w for w in words if w.startswith(("-I", "-D", "-std="))]
    for i, word in enumerate(words):
        if word == "-isystem":
            kept += words[i:i + 2]
    return kept + ["-isystem", builtin.stdout.strip()]


def parse_sites(entry, wanted):
    unit = clang.cindex.Index.create().parse(entry["file"], args=parse_arguments(entry["command"]))
    errors = [d for d in unit.diagnostics if d.severity >= clang.cindex.Diagnostic.Error]
    if errors:
        raise SystemExit(f"mutation: libclang: {errors[0]}")
    return Finder(unit, wanted).run()


def find_sites(root, work, commands, folders):
    """file -> sites, of the sources of the folders and the headers there; what was parsed once is kept."""
    wanted = {str(p) for f in folders for p in sorted((root / f).rglob("*")) if p.suffix in (".cpp", ".h")}
    common = hashlib.sha256((HERE / "mutants.py").read_bytes())
    for name in sorted(w for w in wanted if w.endswith(".h")):
        common.update(Path(name).read_bytes())
    sites = {}
    for entry in sorted((e for e in commands if e["file"] in wanted), key=lambda e: e["file"]):
        digest = common.copy()
        digest.update(entry["file"].encode() + Path(entry["file"]).read_bytes())
        kept = work / "sites" / digest.hexdigest()
        if not kept.exists():
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(pickle.dumps(parse_sites(entry, wanted)))
        for file, found in pickle.loads(kept.read_bytes()).items():
            sites.setdefault(file.removeprefix(f"{root}/"), found)
    for name, found in sites.items():
        for mutant in (m for site in found.values() for m, _ in site.choices):
            mutant.file = name
    return sites


def write_if_changed(path, text):
    data = text.encode("latin-1")
    if not path.exists() or path.read_bytes() != data:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


class Tree:
    """programs: folder -> its test program, a path under the release build. The rest of a program comes from there."""

    def __init__(self, root, work, programs):
        self.root, self.work, self.programs = root, work, programs
        self.release = root / "build/release"
        self.drop_file = work / "dropped.json"
        self.dropped = {tuple(k) for k in json.loads(self.drop_file.read_text())} if self.drop_file.exists() else set()
        self.commands = json.loads((self.release / "compile_commands.json").read_text())
        for entry in self.commands:
            entry["output"] = entry["command"].split(" -o ")[1].split()[0]
        self.sites = find_sites(root, work, self.commands, programs)
        self.all = number(self.sites)
        self.headers = {}  # file -> those that it includes

    def mutants(self):
        return [m for m in self.all if m.key() not in self.dropped]

    def program(self, folder):
        return self.work / Path(self.programs[folder]).name

    def write_sources(self):
        write_if_changed(self.work / "src/mutant.h", (HERE / "mutant.h").read_text())
        writers = {}
        for name, sites in self.sites.items():
            writers[name] = Writer((self.root / name).read_bytes().decode("latin-1"), sites.values(), self.dropped)
            write_if_changed(self.work / name, writers[name].text)
        return writers

    def compile_command(self, entry, source, output):
        """With our headers first, quick to compile; without the benchmarks' data, which not everyone has."""
        command = entry["command"].replace(f" -o {entry['output']} ", f" -o {output} ")
        command = command.replace(f" -c {entry['file']}", f" -O1 -w -c {source}")
        command = re.sub(r"DIFFIE_DATA_DIR=\S+", r'DIFFIE_DATA_DIR=\\"none\\"', command)
        return command.replace(" -I", f" -I{self.work}/src -I", 1)

    def headers_of(self, source):
        """Ours, as the compiler finds them."""
        if source not in self.headers:
            self.headers[source] = set()
            for name in re.findall(r'^#include "(.*)"', Path(source).read_text(), re.MULTILINE):
                places = [self.work / "src", self.root / "src", self.root / "tests", self.root / "include", Path(source).parent]
                found = next((str(p / name) for p in places if (p / name).exists()), None)
                if found:
                    self.headers[source] |= {found} | self.headers_of(found)
        return self.headers[source]

    def write_ninja(self):
        """Mutated objects stand before the libraries, whose own of the same names are then not taken."""
        text = "rule run\n  command = $line\n"
        edges = set()
        for folder, target in self.programs.items():
            link = subprocess.run(["ninja", "-C", self.release, "-t", "commands", target], capture_output=True, text=True,
                                  check=True).stdout.splitlines()[-1]
            tests = [e for e in self.commands if e["output"] in link.split()]
            products = [e for e in self.commands if e["file"].removeprefix(f"{self.root}/").startswith(f"{folder}/")]
            objects = []
            for entry in tests + products:
                name = entry["file"].removeprefix(f"{self.root}/")
                source = self.work / name if name in self.sites else entry["file"]
                output = f"{self.work}/objects/{name}.o"
                objects.append(output)
                if output in edges:
                    continue
                edges.add(output)
                text += (f"build {output}: run {source} | {' '.join(sorted(self.headers_of(source)))}\n"
                         f"  line = {self.compile_command(entry, source, output)}\n")
            for entry in tests:
                link = link.replace(f" {entry['output']} ", " ")
            link = link.replace(f" -o {target} ", f" {' '.join(objects)} -o {self.program(folder)} ")
            text += (f"build {self.program(folder)}: run {' '.join(objects)}\n"
                     f"  line = cd {self.release} && {link}\n")
        write_if_changed(self.work / "build.ninja", text)

    def build(self, folders):
        """The programs of the folders, until all compiles: what does not is dropped."""
        self.write_sources()
        self.write_ninja()
        targets = [self.program(folder) for folder in folders]
        for _ in range(20):
            writers = self.write_sources()
            done = subprocess.run(["ninja", "-C", self.work, "-k", "0", *targets], capture_output=True, text=True)
            (self.work / "build.log").write_text(done.stdout + done.stderr)
            if done.returncode == 0:
                return
            blamed = set()
            for file, line, column in ERROR.findall(done.stdout):
                writer = writers.get(file.removeprefix(f"{self.work}/"))
                blamed |= {m.key() for m in writer.blamed(int(line), int(column))} if writer else set()
            if not blamed - self.dropped:
                raise SystemExit(f"mutation: does not build, see {self.work}/build.log")
            print(f"{len(blamed)} mutants do not compile", flush=True)
            self.dropped |= blamed
            self.drop_file.write_text(json.dumps(sorted(self.dropped)))
        raise SystemExit("mutation: still does not build")
