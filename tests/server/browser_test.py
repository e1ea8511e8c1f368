"""The page's main flow: a text, its sentences and triples, the settings."""
import json
import re

import pytest

from busy_machine import best_of
from browser_fixtures import run, set_threshold, shown, until, wait_done

SLOTS = ("subject", "relation", "object")


def test_shows_a_first_result_within_a_second(visit, site):
    assert best_of(8, 1000, lambda: visit(site.url).evaluate("window.first_triple_ms")) < 1000


def test_shows_what_the_server_says(visit, site):
    page = visit(site.url)
    text = page.input_value("#text")
    answer = page.request.post(f"{site.url}/v1/extract", data={"text": text}).json()
    assert [len(each["extractions"]) for each in answer["sentences"]] == [len(each) for each in shown(page)]
    for sentence, triples in zip(answer["sentences"], shown(page)):
        for extraction, row in zip(sentence["extractions"], triples):
            assert row["confidence"] == pytest.approx(extraction["confidence"], abs=0.0051)
            words = [slot.replace("[", "").replace("]", "") for slot in row["slots"]]
            assert words == [extraction[slot] for slot in SLOTS]


def lit(page, number):
    """Role -> its pieces, as they are lit in a sentence."""
    pieces = page.locator(f"#sentence-{number} .role").evaluate_all(
        "(all) => all.map((each) => [each.className, each.textContent])")
    return {slot: [text for classes, text in pieces if slot in classes.split()] for slot in SLOTS}


def test_lights_up_the_roles_of_a_triple(visit, site):
    """Byte spans, of several pieces too, become the very words, also behind letters of several bytes."""
    page = visit(site.url)
    text = "Zoë Müller met 😀 Charles Babbage in Köln. " + page.input_value("#text")
    run(page, text)
    set_threshold(page, 0)
    answer = page.request.post(f"{site.url}/v1/extract", data={"text": text, "options": {"min_confidence": 0}}).json()
    pieces = 0
    for number, sentence in enumerate(answer["sentences"][:4], 1):
        quoted = sentence["sentence"].encode()
        for index, extraction in enumerate(sentence["extractions"], 1):
            page.hover(f"#sentence-{number} li:nth-child({index}) .triple")
            wanted = {slot: [quoted[begin:end].decode() for begin, end in extraction["spans"][slot]] for slot in SLOTS}
            assert lit(page, number) == wanted
            pieces = max(pieces, *(len(spans) for spans in wanted.values()))
    assert pieces > 1
    page.mouse.move(0, 0)
    assert page.locator(".role").count() == 0


def test_lights_up_by_focus_and_pins_by_click(visit, site):
    page = visit(site.url)
    first = page.locator("#sentence-1 .triple").first
    first.focus()
    assert lit(page, 1)["subject"] == ["Ada Lovelace"]
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.closest('li').previousElementSibling !== null")
    first.click()
    page.locator("#text").focus()
    page.mouse.move(0, 0)
    assert first.get_attribute("aria-pressed") == "true"
    assert lit(page, 1)["subject"] == ["Ada Lovelace"]


def test_marks_factuality_and_implied_words(visit, site):
    page = visit(site.url)
    marks = {mark for sentence in shown(page) for row in sentence for mark in row["marks"]}
    assert {"[not]", "[if]", "[question]", "[according to Doron Swade]"} <= marks
    assert any("[was]" in row["slots"][1] for sentence in shown(page) for row in sentence)
    page.check("#asserted")
    assert not any(row["marks"] for sentence in shown(page) for row in sentence)


def test_threshold_asks_nobody(visit, site):
    page = visit(site.url)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    set_threshold(page, 0)
    everything = [row["confidence"] for sentence in shown(page) for row in sentence]
    set_threshold(page, 0.9)
    sure = [row["confidence"] for sentence in shown(page) for row in sentence]
    assert 0 < len(sure) < len(everything)
    assert min(sure) >= 0.9 > min(everything)
    assert asked == []
    assert f"{len(sure)} triples" in page.text_content("#summary")


def test_presets_and_settings_are_sent(visit, site):
    page = visit(site.url)
    with page.expect_request("**/v1/extract") as sent:
        page.check("#preset-best", force=True)
    assert json.loads(sent.value.post_data)["options"]["preset"] == "best"
    with page.expect_request("**/v1/extract") as sent:
        page.fill("#setting-top_k", "1")
        page.locator("#setting-top_k").blur()
    options = json.loads(sent.value.post_data)["options"]
    assert options == {"preset": "best", "top_k": 1, "min_confidence": 0}
    until(page, "document.querySelectorAll('.sentence').length === 10")
    assert max(len(sentence) for sentence in shown(page)) == 1


def test_shows_the_settings_that_a_model_reads(visit, mock):
    page = visit(mock.url)
    assert page.locator("#setting-theta").count() == page.locator("#setting-branch").count() == 1
    assert page.locator("#setting-samples").count() == 0
    page.select_option("#model", "noise")
    assert page.locator("#setting-samples").input_value() == "64"
    assert page.locator("#setting-theta").count() == 0
    assert "not trained" in page.text_content("#settings")


def test_takes_a_dropped_file_and_a_dropped_text(visit, site):
    page = visit(site.url)

    def drop(script):
        page.evaluate("document.getElementById('live').textContent = ''")
        transfer = page.evaluate_handle(f"() => {{ const data = new DataTransfer(); {script}; return data; }}")
        page.dispatch_event("#text", "drop", {"dataTransfer": transfer})
        wait_done(page)
        return page.input_value("#text")

    content = "Linz lies on the Danube."
    assert drop(f"data.items.add(new File(['{content}'], 'a.txt', {{type: 'text/plain'}}))") == content
    assert page.locator(".sentence").count() == 1
    assert drop("data.setData('text/plain', 'Graz lies on the Mur.')") == "Graz lies on the Mur."


def test_opens_files_of_other_encodings(visit, site):
    page = visit(site.url)
    for content in ("Zoë lives in Köln.".encode("cp1252"), "Zoë lives in Köln.".encode("utf-16")):
        page.fill("#text", "")
        page.set_input_files("#file", {"name": "a.txt", "mimeType": "text/plain", "buffer": content})
        until(page, "document.getElementById('text').value === 'Zoë lives in Köln.'")
    wait_done(page)


def test_an_empty_text_says_so(visit, site):
    page = visit(site.url)
    run(page, "  \n ")
    assert re.search("no text", page.text_content("#summary"))
    assert page.is_visible("#empty")
    page.click("#example")
    page.wait_for_selector(".sentence")


def test_a_reload_keeps_the_text(visit, site):
    page = visit(site.url)
    run(page, "Graz lies on the Mur.")
    until(page, "sessionStorage.getItem('diffie-draft') === 'Graz lies on the Mur.'")
    page.reload()
    wait_done(page)
    assert page.input_value("#text") == "Graz lies on the Mur."


def test_docs_page_lists_the_routes(visit, site):
    page = visit(f"{site.url}/docs", ready=False)
    page.wait_for_selector(".route")
    names = page.locator(".route h2").all_text_contents()
    assert "POST/v1/extract" in names and "GET/v1/models" in names
    assert page.get_by_role("cell", name="options.top_k", exact=True).count() >= 1
