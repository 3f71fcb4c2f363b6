"""What is previewed is what will stand there: the same parts, classes and texts, in both languages."""
import re

from person import PICTURES
from stage import PageTest, Stage, ready

# The tree of an item, without what differs between something and what it becomes: addresses and ids.
SHAPE = """selector => {
    const shape = node => node.nodeType === 3 ? node.data : node.localName === 'img' ? ['img', ...['width', 'height', 'alt', 'loading'].map(name => node.getAttribute(name))]
        : node.localName === 'use' ? node.getAttribute('href').split('#')[1]
        : [node.localName, node.getAttribute('class'), node.hidden, node.getAttribute('aria-label'), node.dataset.f ?? null, [...node.childNodes].map(shape)];
    return shape(document.querySelector(selector));
}"""


class Preview(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        cls.yamada = Person(Stage.url, "山田")

    def without_moment(self, shape):
        """A minute may pass between the preview and the post; the form of its moment stays."""
        if isinstance(shape, list): return [self.without_moment(part) for part in shape]
        return re.sub(r"^\d+/\d+\(\w+\) \d\d:\d\d$", "moment", shape) if isinstance(shape, str) else shape

    def compare(self, page, fields, picture, at="/", found="ol.list > li"):
        """Writes what `fields` say, sends it and compares the preview with what stands at `at`. Returns it and what comes without scripts."""
        for name, text in fields.items(): page.locator(f"#{name}").fill(text)
        if picture:
            page.locator("#picture").set_input_files(PICTURES / f"{picture}.jpg")
            page.locator("#preview img").wait_for()
        preview = page.evaluate(SHAPE, "#preview > li")
        page.locator("#send").click()
        page.wait_for_url(lambda address: "/write" not in address and "/new" not in address)
        page.goto(at)
        ready(page)
        self.assertEqual(self.without_moment(page.evaluate(SHAPE, found)), self.without_moment(preview))
        quiet = self.visitor(java_script_enabled=False, locale=page.evaluate("navigator.language"), storage_state=page.context.storage_state()).new_page()
        quiet.goto(at)
        served = self.without_moment(quiet.evaluate(SHAPE, found))
        quiet.context.close()
        return preview, served

    def test_a_post_is_what_was_previewed(self):
        for locale in ("ja-JP", "en-US"):
            page = self.member(locale=locale).new_page()
            for picture in (None, "e"):
                with self.subTest(locale=locale, picture=picture):
                    thread = self.yamada.opens("プレビューのとおりになるスレッド")
                    page.goto(f"/threads/{thread}/write")
                    ready(page)
                    body = "\n".join(f"{number}行めの文。" for number in range(20))
                    preview, served = self.compare(page, {"title": "  👨‍👩‍👧‍👦 プレビューと同じになる投稿の題です ", "body": body}, picture, f"/threads/{thread}")
                    self.assertEqual(served, self.without_moment(preview))

    def test_a_report_is_what_was_previewed(self):
        for locale in ("ja-JP", "en-US"):
            page = self.member(locale=locale).new_page()
            for day in (None, "2026-11-26"):
                with self.subTest(locale=locale, day=day):
                    thread = self.yamada.opens("プレビューのとおりになる日報", kind="dailyReport")
                    page.goto(f"/threads/{thread}/write" + (f"?date={day}" if day else ""))
                    ready(page)
                    preview, served = self.compare(page, {"body": "今日のこと。"}, None, f"/threads/{thread}")
                    self.assertEqual(served, self.without_moment(preview))

    def test_a_thread_is_what_was_previewed(self):
        for locale, now in (("ja-JP", "たった今"), ("en-US", "just now")):
            page = self.member(locale=locale).new_page()
            for kind, picture in (("discussion", "a"), ("dailyReport", None)):
                with self.subTest(locale=locale, kind=kind):
                    page.goto(f"/threads/new?kind={kind}")
                    ready(page)
                    title = f"プレビューのとおりになる {locale} {kind}"
                    page.locator("#title").fill(title)
                    self.assertEqual(page.locator("#preview time").inner_text(), now)
                    preview, served = self.compare(page, {"description": "一行めの説明。\n二行めの説明。"}, picture)
                    self.assertIn(title, str(preview))
                    # Without scripts a date stands where they say how long ago that was.
                    self.assertEqual(str(served).replace("moment", now), str(preview))
