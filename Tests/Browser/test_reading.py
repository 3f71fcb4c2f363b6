"""Reading: what comes without scripts, what scripts add, and that nothing of strangers is ever run."""
import json, urllib.request, xml.etree.ElementTree as xml

from stage import PageTest, Stage, ready

EVIL = ["<img src=x onerror=alert(1)>タイトル本文", "</title><script>alert(1)</script>あいうえお",
        "[x](java&#x73;cript:alert(1)) あいうえお", "\"'><svg onload=alert(1)>あいうえお"]
ATOM = {"a": "http://www.w3.org/2005/Atom"}


class Reading(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        cls.yamada = Person(Stage.url, "山田")
        cls.thread = cls.yamada.opens("近所の小さな喫茶店を教えあうスレッド", "一人で長居できるお店。", picture="a")
        cls.many = [cls.yamada.posts(cls.thread, f"むかし通っていた店の話、その{number}回め") for number in range(1, 25)]
        cls.pictured = cls.yamada.posts(cls.thread, "駅裏の階段を上がった二階の店、窓ぎわの席", "雨の音。\n\n本を二冊。", picture="e")

    def test_without_scripts_lists_and_posts_are_read(self):
        page = self.page(java_script_enabled=False)
        page.get_by_role("link", name="近所の小さな喫茶店").first.click()
        self.assertEqual(page.locator("ol.list > li").count(), 20)
        self.assertEqual(page.locator("article .frame img").first.get_attribute("loading"), "lazy")
        page.get_by_role("link", name="つづきを見る").click()
        self.assertEqual(page.locator("ol.list > li").count(), 5)
        page.goto(f"/posts/{self.pictured}")
        self.assertEqual(page.locator("article .body").inner_text(), "雨の音。\n\n本を二冊。")
        self.assertEqual(page.locator("article .by b").inner_text(), "投稿者 山田")
        moment = page.locator("article time")
        self.assertRegex(moment.get_attribute("datetime"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertRegex(moment.inner_text(), r"^\d{1,2}/\d{1,2}\([日月火水木金土]\) \d\d:\d\d$")
        self.assertEqual(page.locator("html").get_attribute("lang"), "ja")

    def test_a_link_to_a_post_shows_what_it_is(self):
        page = self.page(f"/posts/{self.pictured}")
        value = lambda name: page.locator(f"meta[property='{name}']").get_attribute("content")
        self.assertEqual(value("og:title"), "駅裏の階段を上がった二階の店、窓ぎわの席")
        self.assertEqual(value("og:description"), "雨の音。  本を二冊。")
        self.assertEqual(value("og:url"), f"{Stage.url}/posts/{self.pictured}")
        with urllib.request.urlopen(value("og:image")) as picture:
            self.assertTrue(picture.headers["Content-Type"].startswith("image/"))

    def test_feeds_tell_of_the_board_and_of_a_thread(self):
        posts = [post["title"] for post in self.yamada.posts_of(self.thread)]
        threads = [thread["title"] for thread in self.yamada.call("GET", "/v1/threads?limit=100")["items"]]
        for path, title, titles in (("/feed.atom", "掲示板", threads), (f"/threads/{self.thread}/feed.atom", "近所の小さな喫茶店を教えあうスレッド", posts)):
            with urllib.request.urlopen(Stage.url + path) as answer: feed = xml.parse(answer).getroot()
            self.assertEqual(feed.findtext("a:title", namespaces=ATOM), title)
            entries = feed.findall("a:entry", ATOM)
            self.assertGreater(len(entries), 0, path)
            self.assertEqual([entry.findtext("a:title", namespaces=ATOM) for entry in entries], titles[:len(entries)])
            self.assertGreaterEqual(len(entries), min(20, len(titles)))
            for entry in entries:
                link = entry.find("a:link", ATOM).get("href")
                self.assertTrue(link.startswith(Stage.url))
                self.assertTrue(all(entry.findtext(f"a:{name}", namespaces=ATOM) for name in ("id", "title", "updated", "published")))
            with urllib.request.urlopen(link) as answer: self.assertEqual(answer.status, 200)

    def test_what_strangers_write_is_text_wherever_it_stands(self):
        person = self.somebody("<b onclick=x>悪</b>")
        thread = person.opens(EVIL[1], EVIL[0])
        posts = [person.posts(thread, title, "\n".join(EVIL)) for title in EVIL]
        context = self.visitor()
        for path in ("/", f"/threads/{thread}", f"/posts/{posts[1]}", f"/threads/{thread}/write", f"/search?q=alert", "/search?q=%3Csvg/onload=alert(1)%3E",
                     f"/users/{person.post(posts[0])['author']['id']}"):
            page = context.new_page()
            page.goto(path)
            ready(page)
            self.assertRegex(page.locator("main").inner_text() + page.title(), r"alert\(1\)|悪|見つかりません", path)
            self.assertEqual(page.locator("main script, main [onerror], main [onload], main b[onclick], main img[src='x']").count(), 0, path)
            page.close()
        page = context.new_page()
        page.goto(f"/posts/{posts[1]}")
        self.assertEqual(page.title(), f"{EVIL[1]} · 掲示板")
        self.assertEqual(page.locator("article .body").inner_text(), "\n".join(EVIL))
        page.goto(f"/threads/{thread}/write")
        ready(page)
        page.locator("#title").fill(EVIL[0])
        page.locator("#body").fill("\n".join(EVIL))
        self.assertEqual(page.locator("#preview .body").inner_text(), "\n".join(EVIL))
        self.assertEqual(page.locator("#preview img").count(), 0)
        with urllib.request.urlopen(f"{Stage.url}/threads/{thread}/feed.atom") as answer: feed = xml.parse(answer).getroot()
        self.assertEqual({entry.findtext("a:title", namespaces=ATOM) for entry in feed.findall("a:entry", ATOM)}, set(EVIL))

    def test_the_policy_allows_nothing_inline_and_nothing_from_elsewhere(self):
        with urllib.request.urlopen(Stage.url + "/") as answer: headers = answer.headers
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'self'", policy)
        self.assertNotIn("unsafe", policy)
        for rule in ("frame-ancestors 'none'", "base-uri 'none'"): self.assertIn(rule, policy)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        self.assertEqual(headers["Referrer-Policy"], "same-origin")

    def test_a_list_goes_on_by_itself_and_keeps_its_place_on_back(self):
        page = self.page(f"/threads/{self.thread}?order=oldest")
        ready(page)
        page.locator("ol.list > li").last.scroll_into_view_if_needed()
        self.eventually(page, "document.querySelectorAll('ol.list > li').length === 25")
        link = page.get_by_role("link", name="その22回め")
        link.scroll_into_view_if_needed()
        before = link.bounding_box()["y"]
        link.click()
        page.wait_for_url("**/posts/*")
        page.go_back()
        ready(page)
        self.assertEqual(page.locator("ol.list > li").count(), 25)
        self.assertAlmostEqual(page.get_by_role("link", name="その22回め").bounding_box()["y"], before, delta=4)

    def test_pictures_have_their_place_before_they_come(self):
        context = self.visitor()
        page = context.new_page()
        page.add_init_script("window.shift = 0; new PerformanceObserver(list => { for (const entry of list.getEntries()) window.shift += entry.value; })"
                             ".observe({ type: 'layout-shift', buffered: true })")
        page.goto(f"/threads/{self.thread}")
        ready(page)
        self.eventually(page, "[...document.images].filter(image => image.loading !== 'lazy' || image.getBoundingClientRect().top < innerHeight).every(image => image.complete)")
        self.assertLess(page.evaluate("window.shift"), 0.01)
        page.goto("/")
        self.assertEqual(page.locator(".thumb").first.bounding_box()["width"], 72)

    def test_a_picture_that_is_gone_leaves_its_place(self):
        self.expected = ["404"]
        context = self.visitor()
        context.route("**/v1/media/**", lambda route: route.fulfill(status=404))
        page = context.new_page()
        page.goto(f"/posts/{self.pictured}")
        box = page.locator(".frame .gone")
        box.wait_for()
        self.assertGreater(box.bounding_box()["height"], 150)
        page.goto(f"/threads/{self.thread}")
        page.locator(".thread-head .thumb .gone").wait_for()
        self.assertEqual(page.locator(".thread-head .thumb").bounding_box()["height"], 56)
        self.assertEqual(page.locator(".thread-head img").count(), 0)

    def test_the_language_is_the_readers(self):
        page = self.page("/", locale="en-US")
        ready(page)
        self.assertEqual(page.locator("html").get_attribute("lang"), "en")
        self.assertTrue(page.get_by_role("heading", name="Threads").is_visible())
        self.assertTrue(page.get_by_role("link", name="Open a thread").is_visible())
        page.goto(f"/posts/{self.pictured}")
        self.assertEqual(page.locator("article .by b").inner_text(), "Posted by 山田")
        page = self.page("/", locale="fr-FR")
        self.assertEqual(page.locator("html").get_attribute("lang"), "ja")

    def test_what_is_not_there_says_so(self):
        self.expected = ["404"]
        for path in ("/nowhere", "/posts/01a22bf7-6f25-70f7-9371-000000000000", "/threads/nothing"):
            page = self.page(path)
            self.assertTrue(page.get_by_text("見つかりませんでした").is_visible())
            page.close()
        with self.assertRaises(urllib.error.HTTPError) as refused: urllib.request.urlopen(Stage.url + "/nowhere")
        self.assertEqual(json.load(refused.exception)["type"], "/problems/not-found")
        refused.exception.close()
