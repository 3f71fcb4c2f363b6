"""Two browsers at once: what one does, the other sees without asking; and what happens when the line or a service breaks."""
from stage import PageTest, Stage, eventually, ready


class Live(PageTest):
    def setUp(self):
        super().setUp()
        self.hanako = self.somebody()
        self.thread = self.hanako.opens("ふたりのスレッド")
        self.post = self.hanako.posts(self.thread, "ふたりで見ている投稿の題名です。")

    def watched(self, path, **options):
        page = self.page(path, **options)
        ready(page)
        return page

    def live(self, page): page.locator("body[data-live=yes]").wait_for(state="attached")

    def test_counts_of_others_come_by_themselves(self):
        one, other = self.watched(f"/threads/{self.thread}"), self.watched(f"/posts/{self.post}")
        self.live(one)
        other.locator(".like").click()
        self.named(other)
        eventually(one, "() => document.querySelector('article [data-f=likeCount]').textContent === '1'")
        eventually(one, "() => document.querySelector('.thread-head [data-f=likeCount]').textContent === '1'")
        self.assertEqual(one.locator("article .like").get_attribute("aria-pressed"), "false")

    def test_new_posts_are_announced_and_move_nothing(self):
        page = self.watched(f"/threads/{self.thread}")
        self.live(page)
        before = page.locator("article").bounding_box()
        new = [self.hanako.posts(self.thread, f"あとから書かれた投稿、その{number}です") for number in (1, 2)]
        button = page.get_by_role("button", name="新しい投稿が 2 件")
        button.wait_for()
        self.shoot(page, "news")
        self.assertAlmostEqual(page.locator("article").bounding_box()["y"], before["y"], delta=1)
        self.assertEqual(page.locator("article").count(), 1)
        button.click()
        self.assertEqual([node.get_attribute("data-id") for node in page.locator("article").all()], [*reversed(new), self.post])
        eventually(page, "() => document.querySelector('.thread-head [data-f=postCount]').textContent === '3'")

    def test_an_own_post_is_there_once(self):
        page = self.watched(f"/threads/{self.thread}/write")
        page.locator("#title").fill("自分の投稿は一度だけ数えられます")
        page.locator("#body").fill("本文")
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url(f"**/threads/{self.thread}")
        ready(page)
        self.live(page)
        self.hanako.posts(self.thread, "そのあとに来たほかの人の投稿です")
        page.get_by_role("button", name="新しい投稿が 1 件").wait_for()
        self.assertEqual(page.locator("article").count(), 2)
        self.assertEqual(page.locator(".thread-head [data-f=postCount]").inner_text(), "3")

    def test_a_tab_that_nobody_looks_at_gives_its_stream_back(self):
        page = self.visitor().new_page()
        page.clock.install()
        page.goto(f"/threads/{self.thread}")
        ready(page)
        self.live(page)
        hide = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); document.dispatchEvent(new Event('visibilitychange')); }"
        page.evaluate(hide, True)
        page.clock.fast_forward(15_000)
        self.assertEqual(page.evaluate("document.body.dataset.live"), "yes")
        page.clock.fast_forward(6_000)
        self.assertEqual(page.evaluate("document.body.dataset.live"), "no")
        self.hanako.posts(self.thread, "だれも見ていないあいだの投稿です")
        page.evaluate(hide, False)
        self.live(page)
        page.get_by_role("button", name="新しい投稿が 1 件").wait_for()

    def test_all_that_was_missed_is_there_and_what_was_deleted_is_not(self):
        self.expected = ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK"]
        page = self.watched(f"/threads/{self.thread}")
        self.live(page)
        page.context.set_offline(True)
        page.locator("#status").get_by_text("いまつながりにくくなっています").wait_for()
        for number in range(23): self.hanako.posts(self.thread, f"見ていないあいだに書かれた投稿、その{number}")
        self.hanako.call("DELETE", f"/v1/posts/{self.post}")
        page.context.set_offline(False)
        page.locator(f"[data-id='{self.post}']").wait_for(state="detached")
        page.get_by_role("button", name="新しい投稿が").or_(page.locator("article").nth(22)).first.wait_for()
        if page.locator("#news button").count(): page.locator("#news button").click()
        self.assertEqual(page.locator("article").count(), 23)

    def test_what_is_edited_changes_in_place(self):
        page, alone = self.watched(f"/threads/{self.thread}"), self.watched(f"/posts/{self.post}")
        self.live(page)
        self.live(alone)
        self.hanako.edits(self.post, 1, body="なおした本文です。")
        for each in (page, alone):
            each.get_by_text("なおした本文です。").wait_for()
            self.assertTrue(each.get_by_text("編集済み").is_visible())

    def test_a_list_that_cannot_go_on_does_not_ask_without_pause(self):
        self.expected = ["503"]
        for number in range(21): self.hanako.posts(self.thread, f"長いリストの投稿、その番号は{number}")
        page = self.visitor().new_page()
        asked = []

        def refuse(route):
            asked.append(route)
            route.fulfill(status=503, content_type="application/problem+json", body='{"title":"x","status":503}')

        page.route("**/posts?*cursor=*", refuse)
        page.goto(f"/threads/{self.thread}")
        ready(page)
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        self.until(page, lambda: asked)
        page.wait_for_timeout(1_000)  # The time itself is what is tried: it does not ask again at once.
        self.assertLessEqual(len(asked), 2)
        self.assertTrue(page.locator(".more a").is_visible())
        page.unroute("**/posts?*cursor=*")
        page.locator(".more a").click()
        self.eventually(page, "document.querySelectorAll('article').length === 22")

    def test_a_screen_that_came_without_its_service_reads_itself_again(self):
        page = self.visitor().new_page()
        away = {"posts": True}

        def answer(route):
            if not away["posts"]: return route.continue_()
            whole = route.fetch()
            main = '<main class="column" id="main" tabindex="-1"><div class="sheet empty" data-away role="status"><b>いま開けません</b></div>'
            route.fulfill(response=whole, body=whole.text().replace('<main class="column" id="main" tabindex="-1">', main))

        page.route(f"**/threads/{self.thread}", answer)
        page.goto(f"/threads/{self.thread}")
        ready(page)
        page.get_by_text("いま開けません").wait_for()
        away["posts"] = False
        page.locator("[data-away]").wait_for(state="detached")

    def test_what_is_deleted_leaves(self):
        gone = self.hanako.posts(self.thread, "すぐに消されてしまう投稿の題名です")
        page = self.watched(f"/threads/{self.thread}")
        self.live(page)
        self.hanako.call("DELETE", f"/v1/posts/{gone}")
        page.locator(f"[data-id='{gone}']").wait_for(state="detached")
        self.assertEqual(page.locator("article").count(), 1)

    def test_new_threads_are_announced_on_the_list(self):
        page = self.watched("/")
        self.live(page)
        thread = self.hanako.opens("いま立てられたスレッド")
        page.get_by_role("button", name="新しいスレッドが").wait_for()
        page.locator("#news button").click()
        self.assertTrue(page.locator(f"[data-id='{thread}']").is_visible())

    def test_what_was_missed_without_a_connection_is_there_afterwards(self):
        self.expected = ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK"]
        page = self.watched(f"/threads/{self.thread}")
        self.live(page)
        page.context.set_offline(True)
        page.locator("#status").get_by_text("いまつながりにくくなっています").wait_for()
        self.hanako.likes(self.post)
        self.hanako.posts(self.thread, "つながらないあいだに書かれた投稿です")
        page.locator("article h2 a").click()
        page.get_by_text("いま見えているものは残ります。").wait_for()
        self.assertEqual(page.locator("article").count(), 1)
        page.context.set_offline(False)
        page.locator("#status").wait_for(state="hidden")
        page.get_by_role("button", name="新しい投稿が 1 件").wait_for()
        eventually(page, "() => document.querySelector('article [data-f=likeCount]').textContent === '1'")

    def test_a_service_that_is_away_is_named_and_nothing_is_lost(self):
        self.expected = ["503"]
        page = self.watched(f"/threads/{self.thread}/write")
        page.locator("#title").fill("サービスが休んでいる間に書いた投稿")
        page.locator("#body").fill("本文")
        away = {"posts": True}
        page.route(f"**/v1/threads/{self.thread}/posts", lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body='{"type":"/problems/unavailable","title":"ただいま利用できません。","status":503}')
            if away["posts"] else route.continue_())
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.get_by_text("送れませんでした。書いたものは残っています。").wait_for()
        page.reload()
        ready(page)
        self.assertEqual(page.locator("#title").input_value(), "サービスが休んでいる間に書いた投稿")
        self.assertIn("届いたかどうかまだわかりません", page.locator("#form-says").inner_text())
        page.get_by_role("button", name="投稿する").click()
        page.get_by_text("送れませんでした。").wait_for()
        away["posts"] = False
        page.wait_for_url(f"**/threads/{self.thread}")
        self.assertEqual(len(self.hanako.posts_of(self.thread)), 2)
