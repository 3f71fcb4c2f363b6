"""What every test stands on: a board, a browser, and ears for all that a page complains of."""
import re, time, unittest

from person import Person


class Stage:
    """Set once, by whoever runs the tests."""
    url = None
    browser = None
    screenshots = None
    # The board that was started for the tests, whose services may be stopped; None where it runs elsewhere.
    board = None


class PageTest(unittest.TestCase):
    """A test whose pages must not complain: no error of a script, none on the console, no breach of the policy."""

    def setUp(self):
        self.complaints = []
        self.expected = []

    def tearDown(self):
        wrong = [text for text in self.complaints if not any(re.search(pattern, text) for pattern in self.expected)]
        self.assertEqual(wrong, [], "the page complained")

    def somebody(self, name="はなこ"):
        return Person(Stage.url, name)

    def visitor(self, browser=None, **options):
        """A browser of its own, in Japanese, of a phone's width, unless said otherwise."""
        options = {"base_url": Stage.url, "locale": "ja-JP", "viewport": {"width": 390, "height": 844}, "reduced_motion": "reduce", **options}
        context = (browser or Stage.browser).new_context(**options)
        context.set_default_timeout(10_000)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`))")
        context.on("page", self.listen)
        self.addCleanup(context.close)
        return context

    def listen(self, page):
        page.on("pageerror", lambda error: self.complaints.append(f"script: {error}"))
        page.on("console", lambda message: message.type == "error" and self.complaints.append(f"console: {message.text} {message.location.get('url')}"))
        page.on("dialog", lambda dialog: (self.complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))

    def member(self, name="みどり", **options):
        """A browser of somebody who has an account already."""
        context = self.visitor(**options)
        headers = {"Keijiban-Page": "1", "Origin": Stage.url}
        for answer in (context.request.put("/page/session/device", headers=headers),
                       context.request.post("/page/session", data={"displayName": name}, headers=headers)):
            self.assertTrue(answer.ok, answer.status)
        return context

    def page(self, path="/", **options):
        page = self.visitor(**options).new_page()
        page.goto(path)
        return page

    def named(self, page, name="みどり"):
        """Answers the question for a name, which the first act asks."""
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("名前").fill(name)
        dialog.get_by_role("button", name="続ける").click()
        dialog.wait_for(state="detached")

    def eventually(self, page, expression, argument=None):
        """Waits for what must come to hold in the page."""
        eventually(page, expression, argument)

    def until(self, page, holds):
        """Waits for what must come to hold here, while the page goes on."""
        end = time.monotonic() + 10
        while not holds():
            self.assertLess(time.monotonic(), end, "it never came to hold")
            page.wait_for_timeout(25)

    def shoot(self, page, name):
        if Stage.screenshots: page.screenshot(path=Stage.screenshots / f"{name}.png", animations="disabled")


def ready(page):
    """Waits until the page's scripts have set it up."""
    page.wait_for_load_state("load")
    page.locator("body[data-ready=yes]").wait_for(state="attached")


def eventually(page, expression, argument=None, seconds=10):
    """Playwright's own way to wait makes code of text, which the page's policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression, argument):
        if time.monotonic() > end: raise AssertionError(f"never so: {expression} {argument or ''}")
        page.wait_for_timeout(25)
