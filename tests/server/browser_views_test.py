"""The graph, the diffusion, files and links."""
import re

from browser_fixtures import PHONE, run, set_threshold, shown, until, wait_done


def open_graph(page):
    page.click("#tab-graph")
    page.wait_for_selector(".graph[data-edges]")


def test_graph_merges_names(visit, site):
    page = visit(site.url)
    run(page, "Ada met Bob. ADA  met Carl. Bob met Carl.")
    open_graph(page)
    wanted = {" ".join(name.split()).lower() for sentence in shown(page) for row in sentence for name in row["slots"][::2]}
    names = page.locator(".node title").all_text_contents()
    assert sorted(name.lower() for name in names) == sorted(wanted)


def test_graph_leads_to_the_sentence(visit, site):
    page = visit(site.url)
    open_graph(page)
    # The words of a bent edge may lie under others: dispatched rather than clicked.
    page.locator(".edge", has_text="computes").dispatch_event("click")
    assert page.get_attribute("#tab-sentences", "aria-selected") == "true"
    assert "computes" in page.evaluate("document.activeElement.textContent")
    assert page.locator("#sentence-4 .role.relation").text_content() == "computes"
    open_graph(page)
    page.locator(".node", has_text="Lord Byron").click()
    assert page.evaluate("document.activeElement.closest('.sentence').id") == "sentence-1"


def test_graph_pans_and_zooms(visit, site):
    page = visit(site.url)
    open_graph(page)
    place = lambda: page.get_attribute(".graph-content", "transform")
    scale = lambda: float(re.search(r"scale\((.*)\)", place())[1])
    before, at_first = scale(), place()
    page.get_by_label("Zoom in").click()
    assert scale() > before
    page.get_by_label("Show all").click()
    assert place() == at_first
    box = page.locator(".graph").bounding_box()
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 80, box["y"] + 60, steps=3)
    page.mouse.up()
    assert place() != at_first and scale() == before
    page.mouse.wheel(0, -200)
    until(page, "(before) => Number(document.querySelector('.graph-content').getAttribute('transform').match(/scale\\((.*)\\)/)[1]) > before", before)


def test_graph_by_keyboard(visit, site):
    page = visit(site.url)
    open_graph(page)
    page.locator(".node[tabindex='0']").focus()
    first = page.evaluate("document.activeElement.textContent")
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.textContent") != first:
            break
    else:
        raise AssertionError("no arrow leads to another name")
    assert page.locator(".node[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.className") == "triple"


def test_graph_follows_the_threshold(visit, site):
    page = visit(site.url)
    open_graph(page)
    before = page.get_attribute(".graph", "data-edges")
    set_threshold(page, 0.97)
    until(page, "(before) => Number(document.querySelector('.graph').dataset.edges) < Number(before)", before)


def test_graph_of_thousands_is_capped(visit, mock):
    page = visit(mock.url)
    run(page, " ".join(f"Name{i} A{i} likes thing {i} of {i % 37}." for i in range(1500)))
    open_graph(page)
    assert page.locator(".edge").count() == 400
    assert "400 likeliest of 1,500" in page.text_content(".graph-note")


def test_graph_as_a_list(visit, site):
    page = visit(site.url)
    open_graph(page)
    page.click("#panel-graph summary")
    page.wait_for_selector(".graph-list button")
    assert page.locator(".graph-list button").count() == int(page.get_attribute(".graph", "data-edges"))
    page.locator(".graph-list button", has_text="never completed").click()
    assert "[not]" in page.evaluate("document.activeElement.textContent")


def open_trace(page, number=1):
    page.click(f"#sentence-{number} .watch")
    page.wait_for_selector(".trajectory")


def test_trace_shows_trajectories_and_pool(visit, site):
    page = visit(site.url, reduced_motion="reduce")
    with page.expect_response("**/v1/trace") as received:
        page.click("#sentence-1 .watch")
    answer = received.value.json()
    page.wait_for_selector(".trajectory")
    assert page.locator(".trajectory").count() == len(answer["trajectories"]) > 1
    roles = {"S": "subject", "R": "relation", "O": "object", "B": "background"}
    for row, trajectory in enumerate(answer["trajectories"]):
        classes = page.locator(".trajectory").nth(row).locator(".piece").evaluate_all("(all) => all.map((each) => each.className)")
        assert classes == [f"piece decided {roles[tag]}" for tag in trajectory["tags"]]
    clusters = page.locator(".cluster")
    assert clusters.count() == len(answer["clusters"])
    masses = clusters.locator(".bar-fill").evaluate_all("(all) => all.map((each) => Number(each.style.getPropertyValue('--share')))")
    assert masses[0] == 1 and masses == sorted(masses, reverse=True)


def test_trace_begins_with_nothing_decided(visit, site):
    page = visit(site.url, reduced_motion="reduce")
    open_trace(page)
    page.locator("#trace-step").fill("0")
    assert page.locator(".trajectory .piece.decided").count() == 0
    assert page.locator(".trajectory .piece.open.relation").count() > 0
    decided = []
    last = int(page.get_attribute("#trace-step", "max"))
    for _ in range(last):
        page.get_by_label("Step on").click()
        decided.append(page.locator(".trajectory .piece.decided:not(.background)").count())
    assert decided == sorted(decided) and decided[-1] > 0
    page.get_by_label("Step back").click()
    assert page.input_value("#trace-step") == str(last - 1)


def test_trace_plays_and_pauses(visit, site):
    page = visit(site.url)
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # time passes when the test says so
    open_trace(page)
    assert page.input_value("#trace-step") == "0"
    page.clock.run_for(2000)
    at = page.input_value("#trace-step")
    assert int(at) > 0
    page.get_by_label("Pause").click()
    page.clock.run_for(5000)
    assert page.input_value("#trace-step") == at
    page.get_by_label("Play", exact=True).click()
    page.clock.run_for(20000)
    assert page.input_value("#trace-step") == page.get_attribute("#trace-step", "max")
    page.keyboard.press("Escape")
    assert page.locator("#trace").evaluate("(dialog) => dialog.open") is False
    assert page.evaluate("document.activeElement.className").endswith("watch")


BURST = 8  # Chromium drops, without a word, what a page downloads beyond ten files in a second


def save_as(page, format_):
    """What is asked of the server, and the file that comes."""
    page.select_option("#format", format_)
    with page.expect_request("**/v1/extract") as sent, page.expect_download() as received:
        page.click("#download")
    return sent.value.post_data_json, received.value


def test_every_format_comes_as_a_file(visit, site):
    page = visit(site.url)
    formats = page.request.get(f"{site.url}/v1/models").json()["formats"]
    assert page.locator("#format option").all_text_contents() == [each["name"] for each in formats]
    for number, each in enumerate(formats):
        if number % BURST == 0:
            page = visit(site.url)
            set_threshold(page, 0.95)
        asked = page.request.post(f"{site.url}/v1/extract", data={"text": "", "format": each["name"]})
        if "built without" in asked.text():
            continue  # parquet and arrow need Arrow
        request, file = save_as(page, each["name"])
        assert request["options"]["min_confidence"] == 0.95
        assert file.suggested_filename.startswith("diffie.")
        assert file.path().stat().st_size > 0
        if each["several_files"]:
            assert file.suggested_filename == "diffie.tar"


def test_link_restores_text_and_settings(visit, site):
    page = visit(site.url, permissions=["clipboard-read", "clipboard-write"])
    run(page, "Graz lies on the Mur & the hills #1 <b>.")
    page.check("#preset-fast", force=True)
    page.fill("#setting-top_k", "3")
    page.locator("#setting-top_k").blur()
    page.check("#asserted")
    set_threshold(page, 0.42)
    page.click("#link")
    until(page, "document.getElementById('live').textContent === 'Link copied.'")
    url = page.evaluate("navigator.clipboard.readText()")
    other = visit(url)
    assert other.input_value("#text") == "Graz lies on the Mur & the hills #1 <b>."
    assert other.is_checked("#preset-fast") and other.is_checked("#asserted")
    assert other.input_value("#setting-top_k") == "3"
    assert other.input_value("#threshold") == "0.42"


def test_link_leaves_a_long_text_out(visit, site):
    page = visit(site.url, viewport=PHONE)
    run(page, "Graz lies on the Mur. " * 200)
    page.click("#link")
    until(page, "document.getElementById('live').textContent.includes('without the long text')")
    assert "#" in page.url and "text=" not in page.url


def test_skip_link_is_no_setting(visit, site):
    page = visit(site.url)
    set_threshold(page, 0.42)
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "results"
    assert page.input_value("#threshold") == "0.42"
    wait_done(page)
