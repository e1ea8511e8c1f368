#!/usr/bin/env python3
"""Compares our encoder with transformers' BertModel on real sentences.

    (virtual environment as in make_golden.py)
    encoder_parity.py ENCODER_DIR --dump build/release/tests/model/encoder_dump --text FILE
    encoder_parity.py ENCODER_DIR --slice tests/model/golden/NAME.safetensors

ENCODER_DIR holds encoder.safetensors, encoder.json and vocab.txt of an import. With --dump: runs
--count lines of FILE through both and prints max |difference|. With --slice: writes what
imported_encoder_test.cpp compares with, for the sentences below.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import torch
from safetensors.torch import load_file, save_file
from transformers import BertConfig, BertModel, BertTokenizerFast

SENTENCES = [
    "Rain.",
    "The ferry leaves the old harbour at noon.",
    "Marie Curie won two Nobel Prizes, one in physics and one in chemistry.",
    "Although it was late, the committee - all nine of them - voted on the budget.",
    "The river Elbe rises in the Czech Republic and flows through Dresden to the North Sea.",
    "Prices fell 3.5% in March 2019, the bank said, and rose again in April.",
    "\"Who wrote this?\" asked the editor, holding the letter up to the light.",
    "He was born in Cork, grew up in Galway and now teaches mathematics in Lisbon.",
    "A café in São Paulo serves crème brûlée to naïve tourists.",
    "The unbelievably overqualified horticulturist rewatered the chrysanthemums.",
    "東京 is the capital of Japan.",
    "E. coli, unlike S. aureus, is Gram-negative; both are studied in the course BIO-101.",
    "The company, which had been founded by two brothers in 1923, was sold to its employees.",
    "No one knows where the treasure is, or whether it ever existed.",
    "She gave him the book that her grandmother had brought from Riga.",
    "x = y + 2 * (z - 1) is not English but must be encoded all the same :-)",
]


def bert_model(folder):
    e = json.loads((folder / "encoder.json").read_text())
    model = BertModel(BertConfig(
        vocab_size=e["vocab_size"], hidden_size=e["hidden"], num_hidden_layers=e["layers"],
        num_attention_heads=e["heads"], intermediate_size=e["intermediate"],
        max_position_embeddings=e["max_positions"], type_vocab_size=e["type_vocab"],
        layer_norm_eps=e["layer_norm_eps"]), add_pooling_layer=False)
    weights = load_file(str(folder / "encoder.safetensors"))
    weights = {k[len("bert."):]: v.float() for k, v in weights.items() if k.startswith("bert.")}
    missing, unexpected = model.load_state_dict(weights, strict=False)
    missing = [name for name in missing if not name.endswith("position_ids")]
    assert not missing and all("pooler" in name for name in unexpected), (missing, unexpected)
    return model.eval()


def states(model, ids):
    return torch.cat([model(input_ids=torch.tensor([i])).last_hidden_state[0] for i in ids])


def write_slice(model, ids, path):
    hidden = states(model.double(), ids)
    save_file({
        "ids": torch.tensor(sum(ids, [])).int(),
        "offsets": torch.tensor([0] + [len(i) for i in ids]).cumsum(0).int(),
        "first": hidden[:, :8].float().contiguous(),
        "norms": hidden.norm(dim=1).float()}, str(path))


def compare(model, ids, folder, dump):
    with tempfile.TemporaryDirectory() as work:
        ids_path, out_path = work + "/ids.txt", work + "/out.safetensors"
        with open(ids_path, "w") as f:
            f.writelines(" ".join(map(str, i)) + "\n" for i in ids)
        print(subprocess.run([dump, str(folder), ids_path, out_path], check=True,
                             capture_output=True, text=True).stdout, end="")
        ours = load_file(out_path)["hidden"]
    theirs, exact = states(model, ids), states(model.double(), ids)
    print("max |value| %.2f" % exact.abs().max())
    for name, a, b in (("ours - BertModel fp32", ours, theirs), ("ours - BertModel fp64", ours, exact),
                       ("BertModel fp32 - fp64", theirs, exact)):
        difference = (a.double() - b.double()).abs()
        print("%-22s max %.2e  mean %.2e" % (name, difference.max(), difference.mean()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("encoder", type=pathlib.Path)
    parser.add_argument("--dump")
    parser.add_argument("--text")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--slice", type=pathlib.Path)
    arguments = parser.parse_args()
    tokenizer = BertTokenizerFast(str(arguments.encoder / "vocab.txt"), do_lower_case=True)
    with torch.no_grad():
        reference = bert_model(arguments.encoder)
        if arguments.slice:
            write_slice(reference, tokenizer(SENTENCES)["input_ids"], arguments.slice)
        if arguments.dump:
            lines = open(arguments.text, encoding="utf-8").read().splitlines()[: arguments.count]
            pieces = tokenizer(lines, truncation=True, max_length=512)["input_ids"]
            compare(reference, pieces, arguments.encoder, arguments.dump)
