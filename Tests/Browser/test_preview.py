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

    def compare(self, page, fields, picture, at, found):
        """Writes what `fields` say, sends it and compares the preview with what stands at `at`, with scripts and without."""
        for name, text in fields.items(): page.locator(f"#{name}").fill(text)
        if picture:
            page.locator("#picture").set_input_files(PICTURES / f"{picture}.jpg")
            page.locator("#preview img").wait_for()
        preview = page.evaluate(SHAPE, "#preview > li")
        page.locator("#send").click()
        if page.evaluate("!document.body.dataset.user"):
            page.get_by_role("dialog").locator("input").fill("みどり")
            page.get_by_role("dialog").locator(".main").click()
        page.wait_for_url(lambda address: "/write" not in address and "/new" not in address)
        page.goto(at or "/")
        ready(page)
        self.assertEqual(self.without_moment(page.evaluate(SHAPE, found)), self.without_moment(preview))
        quiet = self.visitor(java_script_enabled=False, locale=page.evaluate("navigator.language"), storage_state=page.context.storage_state()).new_page()
        quiet.goto(at or "/")
        served = self.without_moment(quiet.evaluate(SHAPE, found))
        return preview, served

    def signed_up(self, locale):
        """The first post asks for a name, so what is previewed is called by the right one from the second on."""
        thread = self.yamada.opens("最初の投稿のためのスレッド")
        page = self.page(f"/threads/{thread}/write", locale=locale)
        ready(page)
        page.locator("#title").fill("名前を言うための、十五文字以上の題")
        page.locator("#body").fill("本文")
        page.locator("#send").click()
        page.get_by_role("dialog").locator("input").fill("みどり")
        page.get_by_role("dialog").locator(".main").click()
        page.wait_for_url(f"**/threads/{thread}")
        return page

    def test_a_post_is_what_was_previewed(self):
        for locale in ("ja-JP", "en-US"):
            page = self.signed_up(locale)
            for picture in (None, "e"):
                with self.subTest(locale=locale, picture=picture):
                    thread = self.yamada.opens("プレビューのとおりになるスレッド")
                    page.goto(f"/threads/{thread}/write")
                    ready(page)
                    body = "\n".join(f"{number}行めの文。" for number in range(20))
                    preview, served = self.compare(page, {"title": "  👨‍👩‍👧‍👦 プレビューと同じになる投稿の題です ", "body": body}, picture, f"/threads/{thread}", "ol.list > li")
                    self.assertEqual(served, self.without_moment(preview))

    def test_a_report_is_what_was_previewed(self):
        for locale in ("ja-JP", "en-US"):
            page = self.signed_up(locale)
            for day in (None, "2026-11-26"):
                with self.subTest(locale=locale, day=day):
                    thread = self.yamada.opens("プレビューのとおりになる日報", kind="dailyReport")
                    page.goto(f"/threads/{thread}/write" + (f"?date={day}" if day else ""))
                    ready(page)
                    preview, served = self.compare(page, {"body": "今日のこと。"}, None, f"/threads/{thread}", "ol.list > li")
                    self.assertEqual(served, self.without_moment(preview))

    def test_a_thread_is_what_was_previewed(self):
        for locale, now in (("ja-JP", "たった今"), ("en-US", "just now")):
            page = self.signed_up(locale)
            for kind, picture in (("discussion", "a"), ("dailyReport", None)):
                with self.subTest(locale=locale, kind=kind):
                    page.goto(f"/threads/new?kind={kind}")
                    ready(page)
                    title = f"プレビューのとおりになる {locale} {kind}"
                    page.locator("#title").fill(title)
                    self.assertEqual(page.locator("#preview time").inner_text(), now)
                    preview, served = self.compare(page, {"description": "一行めの説明。\n二行めの説明。"}, picture, None, "ol.list > li")
                    self.assertIn(title, str(preview))
                    # Without scripts a date stands where they say how long ago that was.
                    self.assertEqual(str(served).replace("moment", now), str(preview))
