"""Keyboard, screen readers, motion, themes, widths; and the pictures of the documentation."""
import pathlib

import axe_playwright_python.sync_playwright
import pytest

from browser_fixtures import PHONE, WIDE, until, wait_done

AXE = axe_playwright_python.sync_playwright.Axe()


def open_view(page, view):
    if view == "graph":
        page.click("#tab-graph")
        page.wait_for_selector(".graph[data-edges]")
        page.click("#panel-graph summary")
        page.wait_for_selector(".graph-list button")
    elif view == "trace":
        page.click("#sentence-1 .watch")
        page.wait_for_selector(".trajectory")
    elif view == "sentences":
        page.locator("#sentence-1 li:not([hidden]) > .triple").last.focus()
        page.locator(".settings-box").evaluate("(box) => { box.open = true; }")
        page.click("#settings .more summary")


def violations(page):
    return [(each["id"], each["impact"], each["nodes"][0]["html"][:200], each["nodes"][0]["failureSummary"])
            for each in AXE.run(page).response["violations"]]


SCHEMES = pytest.mark.parametrize("scheme,viewport", [("light", WIDE), ("dark", WIDE), ("light", PHONE)], ids=["light", "dark", "phone"])


@SCHEMES
def test_axe_finds_nothing(visit, site, scheme, viewport):
    page = visit(site.url, color_scheme=scheme, viewport=viewport, reduced_motion="reduce")
    for view in ("sentences", "trace", "graph"):
        open_view(page, view)
        assert violations(page) == []
        page.keyboard.press("Escape")


@SCHEMES
def test_axe_finds_nothing_in_the_docs(visit, site, scheme, viewport):
    page = visit(f"{site.url}/docs", color_scheme=scheme, viewport=viewport, ready=False)
    page.wait_for_selector(".route")
    assert violations(page) == []


def test_everything_by_keyboard(visit, site):
    page = visit(site.url)
    focused = "document.activeElement.id || document.activeElement.className || document.activeElement.tagName"
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "skip"
    seen = []
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(focused))
        outline = page.evaluate("""() => {
          const shown = [document.activeElement, document.activeElement.closest('.paper'), document.activeElement.nextElementSibling];
          return shown.some((each) => each && getComputedStyle(each).outlineStyle !== 'none');
        }""")
        assert outline, f"no focus ring on {seen[-1]}"
        if seen[-1] == "triple":
            break
    wanted = ["theme", "text", "example", "open", "extract", "preset-balanced", "threshold", "setting-top_k",
              "asserted", "tab-sentences", "format", "download", "link"]
    assert [each for each in seen if each in wanted] == wanted
    page.locator("#text").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("Graz lies on the Mur.")
    page.evaluate("document.getElementById('live').textContent = ''")
    page.keyboard.press("Control+Enter")
    wait_done(page)
    assert page.locator(".sentence").count() == 1
    page.locator("#tab-sentences").focus()
    page.keyboard.press("ArrowRight")
    assert page.is_visible("#panel-graph") and not page.is_visible("#panel-sentences")


def test_trace_by_keyboard(visit, site):
    page = visit(site.url, reduced_motion="reduce")
    page.locator("#sentence-1 .watch").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".trajectory")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Play"
    page.locator("#trace-step").focus()
    page.keyboard.press("Home")
    assert page.locator("#trace-step").get_attribute("aria-valuetext").startswith("step 1 of")
    page.keyboard.press("ArrowRight")
    assert page.input_value("#trace-step") == "1"


def test_calm_where_motion_is_not_wanted(visit, site):
    page = visit(site.url, reduced_motion="reduce")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.click("#sentence-1 .watch")
    page.wait_for_selector(".trajectory")
    at = page.input_value("#trace-step")
    page.clock.run_for(5000)
    assert page.input_value("#trace-step") == at == page.get_attribute("#trace-step", "max")
    assert page.locator(".piece").first.evaluate("(each) => getComputedStyle(each).transitionDuration") == "0s"


def test_landmarks_and_announcements(visit, site):
    page = visit(site.url)
    for role in ("banner", "main", "contentinfo", "navigation"):
        assert page.get_by_role(role).count() == 1
    assert page.get_by_role("region", name="Results").count() == 1
    assert page.text_content("#live").startswith("Done. ")
    assert page.get_attribute("#results", "aria-busy") == "false"


def ground(page):
    return page.evaluate("getComputedStyle(document.body).backgroundColor")


def test_theme_follows_the_system_until_chosen(visit, site):
    dark, light = visit(site.url, color_scheme="dark"), visit(site.url, color_scheme="light")
    assert ground(dark) != ground(light)
    dark.click("#theme")
    assert dark.text_content("#theme") == "Theme: light" and ground(dark) == ground(light)
    dark.reload()
    assert ground(dark) == ground(light)


def test_nothing_is_wider_than_the_screen(visit, site):
    page = visit(site.url)
    for width in (320, 390, 768, 1024):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        page.click("#sentence-1 .watch")
        page.wait_for_selector(".trajectory")
        assert page.locator("#trace").evaluate("(each) => each.scrollWidth <= each.clientWidth")
        page.keyboard.press("Escape")


def test_pictures(visit, site, request):
    folder = request.config.getoption("--screenshots")
    if not folder:
        pytest.skip("no --screenshots")
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    for name, scheme, viewport in (("light", "light", WIDE), ("dark", "dark", WIDE), ("phone", "light", PHONE)):
        page = visit(site.url, color_scheme=scheme, viewport=viewport, reduced_motion="reduce")
        if name == "dark":
            page.click("#tab-graph")
            page.wait_for_selector(".graph[data-edges]")
        else:
            page.locator("#sentence-1 li:not([hidden]) > .triple").last.click()
            page.mouse.move(0, 0)
        if name == "phone":
            page.locator("#results").evaluate("(each) => each.scrollIntoView()")
        until(page, "document.fonts.status === 'loaded'")
        path = pathlib.Path(folder) / f"server-{name}.png"
        page.screenshot(path=path)
        assert path.stat().st_size < 300_000
