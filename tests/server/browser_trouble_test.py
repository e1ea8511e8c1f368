"""Long and hostile texts, servers that are slow, busy, broken or away."""
import pytest

from busy_machine import slowness
from browser_fixtures import PHONE, Server, command, run, set_threshold, shown, until, wait_done

AWAY = "ERR_CONNECTION|ERR_EMPTY|ERR_INCOMPLETE|Failed to load resource"


def test_a_text_of_100_kB_streams_and_stays_smooth(visit, site):
    page = visit(site.url)
    text = " ".join(f"In {1000 + i} Ada Lovelace of town {i} sent the letter number {i} to Charles Babbage, who kept it." for i in range(1100))
    assert len(text) > 100_000
    page.evaluate("""() => {
      document.getElementById('live').textContent = '';
      window.longest_ms = 0;
      window.partial = false;
      new PerformanceObserver((list) => {
        for (const {duration} of list.getEntries()) window.longest_ms = Math.max(window.longest_ms, duration);
      }).observe({entryTypes: ['longtask']});
      const progress = document.getElementById('progress');
      new MutationObserver(() => { window.partial ||= progress.value > 0 && progress.value < 1 && !progress.hidden; })
        .observe(progress, {attributes: true});
    }""")
    page.fill("#text", text)
    page.click("#extract")
    busy = []
    while not page.evaluate("document.getElementById('live').textContent.startsWith('Done.')"):
        assert len(busy) < 1000, "it does not end"
        busy.append(slowness())
        page.wait_for_timeout(200)
    assert page.locator(".sentence").count() == 1100
    assert page.evaluate("window.partial")  # some stood there before all did
    assert page.evaluate("window.longest_ms") < 500 * max(busy)
    before = len([row for sentence in shown(page) for row in sentence])
    set_threshold(page, 0.99)
    assert len([row for sentence in shown(page) for row in sentence]) < before


def test_stop_keeps_what_came(visit, mock):
    page = visit(mock.url)
    page.fill("#text", "[slow] Linz lies on the Danube. " * 100)
    page.click("#extract")
    page.wait_for_selector("#sentence-2")
    assert page.is_visible("#progress") and "of 100" in page.text_content("#summary")
    page.click("#stop")
    wait_done(page)
    assert "Stopped" in page.text_content("#summary")
    assert 2 <= page.locator(".sentence").count() < 100
    assert page.is_visible("#extract")


def test_a_second_run_takes_over(visit, mock):
    page = visit(mock.url)
    page.fill("#text", "[slow] Linz lies on the Danube. " * 100)
    page.click("#extract")
    page.wait_for_selector("#sentence-2")
    page.click("#example")
    wait_done(page)
    assert page.locator(".sentence").count() == 10


def test_server_goes_away_and_comes_back(visit):
    server = Server(command())
    try:
        page = visit(server.url, expected=AWAY)
        text = "Graz lies on the Mur."
        server.stop()
        page.fill("#text", text)
        page.click("#extract")
        page.wait_for_selector(".notice")
        assert "does not answer" in page.text_content(".notice")
        page.get_by_role("button", name="Try again").click()
        page.wait_for_selector(".notice")
        assert page.input_value("#text") == text
        server.start()
        page.get_by_text("The server answers again").wait_for()
        page.evaluate("document.getElementById('live').textContent = ''")
        page.get_by_role("button", name="Try again").click()
        wait_done(page)
        assert page.locator(".notice").count() == 0
        assert page.locator("#sentence-1 .sentence-text").text_content() == text
    finally:
        server.stop()


def test_an_answer_that_breaks_off_can_be_asked_again(visit, mock):
    page = visit(mock.url, expected=AWAY)
    page.fill("#text", "[broken] Linz lies on the Danube. " * 5)
    page.click("#extract")
    page.wait_for_selector(".notice")
    until(page, "document.querySelectorAll('.sentence').length === 3")
    assert "Your text is still here" in page.text_content(".notice")
    page.fill("#text", "Linz lies on the Danube.")
    page.get_by_role("button", name="Try again").click()
    until(page, "document.querySelectorAll('.sentence').length === 1")


def test_an_error_in_the_stream_is_said(visit, mock):
    page = visit(mock.url)
    page.fill("#text", "[failing] Linz lies on the Danube. " * 5)
    page.click("#extract")
    page.get_by_text("the deadline has passed").wait_for()
    until(page, "document.querySelectorAll('.sentence').length === 3")


def test_a_busy_server_is_asked_again(visit, mock):
    page = visit(mock.url, expected="429")
    page.evaluate("""() => {
      window.notices = [];
      const box = document.getElementById('notice');
      new MutationObserver(() => window.notices.push(box.textContent)).observe(box, {childList: true});
    }""")
    page.fill("#text", "[busy] Linz lies on the Danube.")
    page.click("#extract")
    page.locator("#sentence-1", has_text="[busy]").wait_for()
    assert any("The server is busy" in notice for notice in page.evaluate("window.notices"))
    assert page.locator(".notice").count() == 0


def test_a_key_is_asked_for(visit, mock):
    page = visit(mock.url, expected="401")
    page.fill("#text", "[key] Linz lies on the Danube.")
    page.click("#extract")
    page.get_by_label("Key").fill("sesame")
    page.keyboard.press("Enter")
    page.locator("#sentence-1", has_text="[key]").wait_for()


def test_a_wrong_setting_is_named(visit, site):
    page = visit(f"{site.url}/#top_k=5000", expected="400", ready=False)
    page.wait_for_selector(".notice")
    assert "top_k" in page.text_content(".notice")
    assert page.get_attribute("#setting-top_k", "aria-invalid") == "true"
    page.fill("#setting-top_k", "2")
    page.locator("#setting-top_k").blur()
    page.wait_for_selector(".sentence")
    assert page.locator(".notice, [aria-invalid]").count() == 0


def test_a_text_beyond_the_servers_limit_is_not_sent(visit, site):
    page = visit(site.url)
    limit = page.request.get(f"{site.url}/v1/models").json()["limits"]["body_bytes"]
    page.locator("#text").evaluate("(area, length) => { area.value = 'a b. '.repeat(length / 5); }", limit + 5)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.click("#extract")
    page.wait_for_selector(".notice")
    assert "the server takes" in page.text_content(".notice") and sent == []


HOSTILE = {
    "markup": "<script>alert(1)</script><img src=x onerror=alert(2)> met </p></li><b>Bob</b> &amp; {{7*7}} ${x}.",
    "right to left": "\u05d3\u05d5\u05d3 \u05e4\u05d2\u05e9 \u05d0\u05ea \u05e8\u05d5\u05ea \u05d1\u05d7\u05d9\u05e4\u05d4.",
    "overrides": "Ada \u202emet Bob in\u2066 Rome\u202d yesterday \u202eagain.",
    "no blank": "a" * 10_000 + " met " + "b" * 10_000 + ".",
    "controls": "Ada\u0001 met\u0007 Bob\u2028in\u0085 Rome.",
    "marks": "Z" + "\u0301" * 300 + " met Bob.",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_only_text(visit, site, name):
    page = visit(site.url, viewport=PHONE)
    run(page, HOSTILE[name])
    assert page.locator("#results script, #results b, #results img, #results p p").count() == 0
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    quoted = "".join(page.locator(".sentence-text").all_text_contents())
    if name == "markup":
        assert "<script>alert(1)</script>" in quoted
    bidi = page.locator(".sentence-text").first.evaluate("(each) => getComputedStyle(each).unicodeBidi + each.dir")
    assert bidi in ("isolateauto", "plaintextauto")
    for view in ("#tab-graph", "#tab-sentences"):
        page.click(view)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_half_a_character_does_not_stop_it(visit, site):
    page = visit(site.url)
    page.evaluate("document.getElementById('live').textContent = ''")
    page.locator("#text").evaluate("(area) => { area.value = 'Ada met Bob \\ud83d in Rome.'; }")
    page.click("#extract")
    wait_done(page)
    assert "\ufffd" in page.locator(".sentence-text").text_content()
