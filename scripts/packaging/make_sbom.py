#!/usr/bin/env python3
"""Writes packaging/sbom.cdx.json, a CycloneDX 1.5 bill of materials: what diffie is built from.

Debian's packages are those of scripts/install-deps.sh and libboost-dev (the server), with the versions that are
installed where it is run (Debian 12); PyPI's those that end up in something of ours, with the versions and sums of
their locks. Vocabulary and models are shipped along, with their sums.

    scripts/packaging/make_sbom.py          write it
    scripts/packaging/make_sbom.py --check  fail where it lacks a package, a model or a sum, or names one that is
                                            gone; needs nothing installed
"""
import hashlib
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
SBOM = ROOT / "packaging" / "sbom.cdx.json"

# Licences (SPDX), and whether a package ends up in a program or library of ours: always, with an option, or never
# (it builds or tests them).
DEBIAN = {
    "g++": ("GPL-3.0-or-later WITH GCC-exception-3.1", "excluded"), "cmake": ("BSD-3-Clause", "excluded"),
    "ninja-build": ("Apache-2.0", "excluded"), "ccache": ("GPL-3.0-or-later", "excluded"),
    "pkg-config": ("GPL-2.0-or-later", "excluded"), "libcli11-dev": ("BSD-3-Clause", "required"),
    "libfmt-dev": ("MIT", "required"), "nlohmann-json3-dev": ("MIT", "required"),
    "libicu-dev": ("Unicode-DFS-2016", "required"), "libssl-dev": ("Apache-2.0", "required"),
    "zlib1g-dev": ("Zlib", "required"), "libzstd-dev": ("BSD-3-Clause", "required"),
    "zstd": ("BSD-3-Clause", "excluded"), "libstemmer-dev": ("BSD-3-Clause", "required"),
    "wordnet-base": ("LicenseRef-WordNet-3.0", "excluded"), "libgtest-dev": ("BSD-3-Clause", "excluded"),
    "libgmock-dev": ("BSD-3-Clause", "excluded"), "libboost-dev": ("BSL-1.0", "optional"),
}
PYPI = {"pyarrow": "Apache-2.0", "nanobind": "BSD-3-Clause", "scikit-build-core": "Apache-2.0"}


def packages():
    script = (ROOT / "scripts" / "install-deps.sh").read_text()
    words = re.search(r"packages=\((.*?)\)", script, re.S).group(1)
    return [word for word in shlex.split(words) if word != "$@"] + ["libboost-dev"]


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


def described(package):
    """What a package is for, by docs/dependencies.md."""
    for purpose, _, _, names in rows():
        if package in names:
            return purpose
    sys.exit(f"{package}: docs/dependencies.md does not say why it is there")


def debian_component(package):
    licence, scope = DEBIAN[package]
    version = installed_version(package)
    return {
        "type": "application" if scope == "excluded" else "library",
        "bom-ref": f"deb/{package}",
        "name": package,
        "version": version,
        "description": described(package),
        "scope": scope,
        "licenses": [{"expression": licence}],
        "purl": f"pkg:deb/debian/{quote(package)}@{quote(version)}?distro=debian-12",
    }


def pypi_versions():
    """Versions of what ends up in something of ours, and the sum of Arrow's wheel."""
    pinned = dict(re.findall(r'"(nanobind|scikit-build-core)==([^"]+)"', (ROOT / "pyproject.toml").read_text()))
    lock = (ROOT / "cmake" / "arrow-requirements.lock").read_text()
    version, digest = re.search(r"^pyarrow==(\S+) --hash=sha256:(\w+)$", lock, re.M).groups()
    return {"pyarrow": (version, digest), **{name: (pinned[name], None) for name in ("nanobind", "scikit-build-core")}}


def pypi_component(package):
    version, digest = pypi_versions()[package]
    component = {"type": "library", "bom-ref": f"pypi/{package}", "name": package, "version": version,
                 "scope": "optional", "licenses": [{"expression": PYPI[package]}],
                 "purl": f"pkg:pypi/{quote(package)}@{quote(version)}"}
    if digest:
        component["hashes"] = [{"alg": "SHA-256", "content": digest}]
    return component


def shipped():
    """Models, each with the sums of its files beside them, and the vocabulary."""
    return sorted(path.parent.relative_to(ROOT).as_posix() for pattern in ("models/*/config.json", "share/*/vocab.txt")
                  for path in ROOT.glob(pattern))


def shipped_component(name):
    """A model by its SHA256SUMS, which has the sums of all its files; a vocabulary by itself."""
    is_model = name.startswith("models/")
    file = ROOT / name / ("SHA256SUMS" if is_model else "vocab.txt")
    return {"type": "machine-learning-model" if is_model else "data", "bom-ref": name, "name": name,
            "scope": "required", "licenses": [{"expression": "Apache-2.0"}],
            "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(file.read_bytes()).hexdigest()}]}


def project_version():
    return re.search(r"project\(diffie VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def bill():
    version = project_version()
    components = [debian_component(package) for package in packages()]
    components += [pypi_component(package) for package in PYPI]
    components += [shipped_component(name) for name in shipped()]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "bom-ref": "diffie", "name": "diffie",
                                   "version": version,
                                   "licenses": [{"expression": "Apache-2.0"}]}},
        "components": components,
        "dependencies": [{"ref": "diffie", "dependsOn": [each["bom-ref"] for each in components
                                                         if each["scope"] != "excluded"]}],
    }


def check():
    written = json.loads(SBOM.read_text())
    found = {each["bom-ref"]: each for each in written["components"]}
    wanted = [f"deb/{package}" for package in packages()] + [f"pypi/{package}" for package in PYPI] + shipped()
    problems = [f"lacks {name}" for name in wanted if name not in found]
    problems += [f"names {name}, which is gone" for name in found if name not in wanted]
    current = [pypi_component(package) for package in PYPI] + [shipped_component(name) for name in shipped()]
    problems += [f"has {each['name']} otherwise than it is" for each in current if found.get(each["bom-ref"]) != each]
    if written["metadata"]["component"]["version"] != project_version():
        problems.append("is of another version")
    for problem in problems:
        print(f"{SBOM.relative_to(ROOT)} {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    SBOM.write_text(json.dumps(bill(), indent=1) + "\n")
