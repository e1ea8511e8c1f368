"""A server, a browser, and pages in it that must keep quiet: an error on the console fails the test.

The server is DIFFIE_SERVER (the path of the program) where that is set, else the mock. Chromium is CHROMIUM, else
/usr/bin/chromium.
"""
import os
import pathlib
import re
import subprocess
import sys
import time

import playwright.sync_api
import pytest

HERE = pathlib.Path(__file__).resolve().parent
WIDE = {"width": 1360, "height": 900}
PHONE = {"width": 390, "height": 844}
PATIENCE_S = 60  # for what must happen; only a failure takes that long


class Server:
    """A process that can go away and come back at the same address."""

    def __init__(self, command):
        self.command = command
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen([*self.command, "--port", str(self.port)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        for line in self.process.stdout:
            if found := re.search(r"listening on (http://127\.0\.0\.1:(\d+))", line):
                self.url, self.port = found[1], int(found[2])
                return
        raise RuntimeError(f"{self.command[0]} ended with {self.process.wait()} before it listened")

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


MOCK = [sys.executable, str(HERE / "mock_server.py")]


def command():
    program = os.environ.get("DIFFIE_SERVER")
    return [program, "--model", "small"] if program else MOCK


@pytest.fixture(scope="session")
def site():
    running = Server(command())
    yield running
    running.stop()


@pytest.fixture(scope="session")
def mock():
    """For what the real one does not do at will."""
    running = Server(MOCK)
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser():
    with playwright.sync_api.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
                                          args=["--no-sandbox"])
        yield chromium
        chromium.close()


# When the first triple came, in ms after the navigation began.
FIRST_TRIPLE = """
new MutationObserver((_, observer) => {
  if (!document.querySelector('.triple')) return;
  window.first_triple_ms = performance.now();
  observer.disconnect();
}).observe(document, {childList: true, subtree: true});
document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective}`));
"""


@pytest.fixture
def visit(browser):
    """visit(url): a page; `expected` are the errors that its console may show."""
    contexts, errors = [], []

    def open_page(url, *, expected="^$", viewport=WIDE, ready=True, **options):
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(1000 * PATIENCE_S)
        context.add_init_script(FIRST_TRIPLE)
        contexts.append(context)
        page = context.new_page()

        def note(text):
            if not re.search(expected, text):
                errors.append(text)

        page.on("console", lambda message: message.type in ("error", "warning") and note(message.text))
        page.on("pageerror", lambda error: note(str(error)))
        page.on("dialog", lambda dialog: (errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(url)
        if ready:
            wait_done(page)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def until(page, condition, arg=None, limit_s=PATIENCE_S):
    """Waits for an expression of JavaScript; page.wait_for_function() needs an eval that the page's policy forbids."""
    end = time.monotonic() + limit_s
    while not page.evaluate(condition, arg):
        assert time.monotonic() < end, f"waited {limit_s} s for {condition}"
        page.wait_for_timeout(20)


def wait_done(page):
    """Until the run is over and everything is shown."""
    until(page, "document.getElementById('live').textContent.startsWith('Done.')")


def run(page, text):
    """Puts a text in, and waits for what comes."""
    page.evaluate("document.getElementById('live').textContent = ''")
    page.fill("#text", text)
    page.click("#extract")
    wait_done(page)


def shown(page):
    """The triples on the page, by sentence: {confidence, slots, marks}."""
    return page.evaluate("""() => [...document.querySelectorAll('.sentence')].map((sentence) =>
      [...sentence.querySelectorAll('.triples > li:not([hidden])')].map((row) => ({
        confidence: Number(row.querySelector('.confidence').textContent),
        slots: [...row.querySelectorAll('.slot')].map((slot) => slot.textContent),
        marks: [...row.querySelectorAll('.mark')].map((mark) => mark.textContent.trim())})))""")


def set_threshold(page, value):
    page.locator("#threshold").evaluate(
        "(slider, value) => { slider.value = value; slider.dispatchEvent(new Event('input')); }", value)
