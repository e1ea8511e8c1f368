#!/usr/bin/env python3
"""Writes packaging/sbom.cdx.json, a CycloneDX 1.5 bill of materials: what diffie is built from.

The packages are those of scripts/install-deps.sh, described by docs/dependencies.md; versions are
those that are installed where it is run (Debian 12). Vocabulary and models are shipped along; a model
has the sums of its files in its SHA256SUMS.

    scripts/packaging/make_sbom.py          write it
    scripts/packaging/make_sbom.py --check  fail where it lacks a package or a model, or names one that is
                                            gone; needs nothing installed
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
SBOM = ROOT / "packaging" / "sbom.cdx.json"

# What ends up in a program or library of ours; everything else builds or tests them.
LINKED = {"libcli11-dev", "libfmt-dev", "nlohmann-json3-dev", "libicu-dev", "libssl-dev", "zlib1g-dev",
          "libzstd-dev", "libstemmer-dev"}


def packages():
    script = (ROOT / "scripts" / "install-deps.sh").read_text()
    words = re.search(r"packages=\((.*?)\)", script, re.S).group(1)
    return [word for word in shlex.split(words) if word != "$@"]


def rows():
    """Of the table of dependencies: what for, what, licence, and its packages."""
    for line in (ROOT / "docs" / "dependencies.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if line.startswith("| ") and len(cells) == 5:
            yield cells[0], cells[1], cells[3], re.findall(r"`([^`]+)`", cells[4])


def installed_version(package):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    if found.returncode != 0 or not found.stdout:
        sys.exit(f"{package}: not installed; its version is not known (scripts/install-deps.sh)")
    return found.stdout


def package_component(package):
    described = [row for row in rows() if package in row[3]]
    if not described:
        sys.exit(f"{package}: docs/dependencies.md does not say why it is there")
    purpose, _, licence, _ = described[0]
    version = installed_version(package)
    return {
        "type": "library" if package in LINKED else "application",
        "bom-ref": f"deb/{package}",
        "name": package,
        "version": version,
        "description": purpose,
        "scope": "required" if package in LINKED else "excluded",
        "licenses": [{"license": {"name": licence}}],
        "purl": f"pkg:deb/debian/{quote(package)}@{quote(version)}?distro=debian-12",
    }


def shipped():
    """Models, each with the sums of its files beside them, and the vocabulary."""
    return sorted(path.parent.relative_to(ROOT).as_posix() for pattern in ("models/*/config.json", "share/*/vocab.txt")
                  for path in ROOT.glob(pattern))


def shipped_component(name):
    return {"type": "machine-learning-model" if name.startswith("models/") else "data", "bom-ref": name, "name": name,
            "scope": "required", "licenses": [{"license": {"id": "Apache-2.0"}}]}


def project_version():
    return re.search(r"project\(diffie VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def bill():
    version = project_version()
    components = [package_component(package) for package in packages()]
    components += [shipped_component(name) for name in shipped()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "diffie", "name": "diffie",
                                   "version": version,
                                   "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": components,
        "dependencies": [{"ref": "diffie", "dependsOn": [each["bom-ref"] for each in components
                                                         if each["scope"] == "required"]}],
    }


def check():
    written = json.loads(SBOM.read_text())
    found = {each["bom-ref"]: each for each in written["components"]}
    wanted = [f"deb/{package}" for package in packages()] + shipped()
    problems = [f"lacks {name}" for name in wanted if name not in found]
    problems += [f"names {name}, which is gone" for name in found if name not in wanted]
    if written["metadata"]["component"]["version"] != project_version():
        problems.append("is of another version")
    for problem in problems:
        print(f"{SBOM.relative_to(ROOT)} {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    SBOM.write_text(json.dumps(bill(), indent=1) + "\n")
