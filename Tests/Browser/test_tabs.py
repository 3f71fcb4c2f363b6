"""Many tabs of one browser, pages that were put aside, and screens beside the thread: all show what is."""
import os, shutil, signal, time

from stage import PageTest, Stage, eventually, ready

HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
}"""
# How many connections for the stream a page holds just now.
COUNT = """(() => {
    const Native = window.EventSource, all = window.sources = [];
    window.EventSource = class extends Native { constructor(...values) { super(...values); all.push(this); } };
})()"""
HELD = "() => window.sources.filter(source => source.readyState !== EventSource.CLOSED).length"


class Tabs(PageTest):
    def setUp(self):
        super().setUp()
        self.hanako = self.somebody()
        self.thread = self.hanako.opens("いくつものタブで見るスレッド")
        self.post = self.hanako.posts(self.thread, "いくつものタブで見ている投稿です")

    def browser(self):
        context = self.visitor()
        context.add_init_script(COUNT)
        return context

    def tab(self, context, path):
        page = context.new_page()
        page.goto(path)
        ready(page)
        self.live(page)
        return page

    def live(self, page): page.locator("body[data-live=yes]").wait_for(state="attached")

    def held(self, pages): return [page.evaluate(HELD) for page in pages]

    def held_at_last(self, pages, count):
        """How many each holds once all together hold so many: an old one is given up a little after the new one is open."""
        end = time.monotonic() + 10
        while sum(held := self.held(pages)) != count:
            self.assertLess(time.monotonic(), end, held)
            pages[0].wait_for_timeout(25)
        return held

    def likes(self, page, text):
        eventually(page, "text => document.querySelector('[data-f=likeCount]').textContent === text", text)

    def test_seven_tabs_share_their_stream_and_all_are_live(self):
        context = self.browser()
        paths = [f"/threads/{self.thread}", f"/posts/{self.post}", "/", f"/threads/{self.thread}?order=oldest", "/", f"/posts/{self.post}", f"/threads/{self.thread}"]
        tabs = [self.tab(context, path) for path in paths]
        held = self.held_at_last(tabs, 2)
        self.assertEqual(len([count for count in held if count]), 1, held)
        began = time.monotonic()
        self.hanako.likes(self.post)
        for tab, path in zip(tabs, paths):
            if path == "/":
                eventually(tab, "id => document.querySelector(`[data-id='${id}'] [data-f=likeCount]`).textContent === '1'", self.thread)
            else: self.likes(tab, "1")
        taken = time.monotonic() - began
        print(f"(a like was in seven tabs after {taken:.2f} s) ", end="", flush=True)
        self.assertLess(taken, 10)

    def test_when_the_tab_that_leads_is_closed_the_next_takes_over_and_misses_nothing(self):
        context = self.browser()
        tabs = [self.tab(context, f"/threads/{self.thread}") for _ in range(3)]
        leader = next(tab for tab in tabs if tab.evaluate(HELD))
        others = [tab for tab in tabs if tab is not leader]
        leader.close()
        self.hanako.likes(self.post)
        new = self.hanako.posts(self.thread, "Between the leaders: 引き継ぎの間の投稿")
        for tab in others:
            self.live(tab)
            self.likes(tab, "1")
            tab.get_by_role("button", name="新しい投稿が 1 件").wait_for()
        self.held_at_last(others, 1)
        self.hanako.call("DELETE", f"/v1/posts/{new}")
        for tab in others: tab.locator("#news button").wait_for(state="detached")

    def test_a_leader_that_is_hidden_hands_over_and_one_that_does_not_answer_is_replaced(self):
        context = self.browser()
        first = context.new_page()
        first.clock.install()
        first.goto(f"/threads/{self.thread}")
        ready(first)
        self.live(first)
        second = self.tab(context, f"/threads/{self.thread}")
        self.assertEqual(self.held_at_last([first, second], 1), [1, 0])
        first.evaluate(HIDE, True)
        first.clock.fast_forward(21_000)
        eventually(second, HELD)
        self.live(second)
        self.hanako.likes(self.post)
        self.likes(second, "1")
        # Somebody holds the lead and says nothing, as a tab that is frozen does.
        context = self.browser()
        frozen = context.new_page()
        frozen.goto("/documents")
        frozen.evaluate("() => { navigator.locks.request('keijiban-live', () => new Promise(() => {})).catch(() => {}); }")
        page = context.new_page()
        page.clock.install()
        page.goto(f"/threads/{self.thread}")
        page.locator("body[data-live=no]").wait_for(state="attached")
        page.clock.fast_forward(6_000)
        self.live(page)

    def test_a_tab_that_joins_costs_the_others_nothing(self):
        context = self.browser()
        first = context.new_page()
        with first.expect_response("**/v1/counts*"): first.goto(f"/threads/{self.thread}")
        self.live(first)
        asked = []
        first.on("request", lambda request: asked.append(request.url))
        other = self.hanako.opens("Another: もうひとつのスレッド")
        second = self.tab(context, f"/threads/{other}")
        self.hanako.likes(self.post)
        self.likes(first, "1")
        self.hanako.posts(other, "あとから加わったタブで見る投稿です")
        second.locator("article").wait_for()
        self.assertEqual([url for url in asked if "/v1/live" not in url], [])
        self.held_at_last([first, second], 1)

    def test_a_tab_that_is_opened_beside_joins_when_it_is_looked_at(self):
        context = self.browser()
        context.add_init_script("Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
        page = context.new_page()
        page.goto(f"/threads/{self.thread}")
        page.locator("body[data-live=no]").wait_for(state="attached")
        self.assertEqual(page.evaluate("window.sources.length"), 0)
        self.hanako.likes(self.post)
        page.evaluate(HIDE, False)
        self.live(page)
        self.likes(page, "1")

    def test_a_machine_that_slept_listens_anew(self):
        page = self.browser().new_page()
        page.clock.install()
        page.goto(f"/threads/{self.thread}")
        ready(page)
        self.live(page)
        before = page.evaluate("window.sources.length")
        page.clock.fast_forward(20_000)
        self.assertEqual(page.evaluate("window.sources.length"), before)
        page.clock.fast_forward(120_000)
        eventually(page, "before => window.sources.length === before + 1", before)
        self.live(page)

    def test_what_is_changed_of_a_thread_is_seen_where_it_is_shown(self):
        context = self.browser()
        tabs = [self.tab(context, path) for path in (f"/threads/{self.thread}", f"/posts/{self.post}", "/search?q=いくつものタブで見ている")]
        image = self.hanako.picture("a")
        self.hanako.call("PATCH", f"/v1/threads/{self.thread}", {"title": "名前の変わったスレッド", "imageId": image}, more={"If-Match": '"v1"'})
        for tab in tabs: tab.get_by_text("名前の変わったスレッド").first.wait_for(state="attached")
        tabs[0].locator(".thread-head .thumb img").wait_for()
        self.hanako.call("PATCH", f"/v1/threads/{self.thread}", {"imageId": None}, more={"If-Match": '"v2"'})
        tabs[0].locator(".thread-head .thumb.none svg").wait_for()

    def test_without_locks_each_tab_listens_itself(self):
        context = self.browser()
        context.add_init_script("Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })")
        tabs = [self.tab(context, f"/threads/{self.thread}") for _ in range(2)]
        self.assertEqual(self.held(tabs), [1, 1])
        self.hanako.likes(self.post)
        for tab in tabs: self.likes(tab, "1")

    def test_after_sleep_all_is_right_again_with_gaps_edits_and_deletions(self):
        self.expected = ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED", "ERR_NETWORK"]
        posts = [self.hanako.posts(self.thread, f"眠るまえからあった投稿、その番号は{number}") for number in range(30)]
        context = self.browser()
        tabs = [self.tab(context, f"/threads/{self.thread}") for _ in range(2)]
        for tab in tabs:
            tab.evaluate("scrollTo(0, document.body.scrollHeight)")
            eventually(tab, "document.querySelectorAll('article').length === 31")
        context.set_offline(True)
        for tab in tabs: tab.locator("#status").get_by_text("いまつながりにくくなっています").wait_for()
        for number in range(25): self.hanako.posts(self.thread, f"眠っているあいだの投稿、その番号は{number}")
        self.hanako.edits(posts[2], 1, body="眠っているあいだに直した本文")
        self.hanako.call("DELETE", f"/v1/posts/{posts[1]}")
        self.hanako.likes(self.post)
        context.set_offline(False)
        for tab in tabs:
            tab.locator(f"[data-id='{posts[1]}']").wait_for(state="detached")
            tab.get_by_text("眠っているあいだに直した本文").wait_for(state="attached")
            tab.get_by_role("button", name="新しい投稿が 25 件").wait_for()
            eventually(tab, "id => document.querySelector(`[data-id='${id}'] .like [data-f=likeCount]`).textContent === '1'", self.post)
            tab.locator("#news button").click()
            self.assertEqual(tab.locator("article").count(), 55)
            eventually(tab, "document.querySelector('.thread-head [data-f=postCount]').textContent === '55'")

    def test_a_page_that_was_put_aside_is_brought_up_to_date(self):
        page = self.tab(self.browser(), f"/threads/{self.thread}")
        gone = self.hanako.posts(self.thread, "戻ってくるまでに消えている投稿です")
        page.get_by_role("button", name="新しい投稿が 1 件").click()
        page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        self.assertEqual(page.evaluate(HELD), 0)
        self.assertEqual(page.evaluate("document.body.dataset.live"), "no")
        self.assertEqual(page.evaluate("navigator.locks.query().then(({ held, pending }) => held.length + pending.length)"), 0)
        self.hanako.likes(self.post)
        self.hanako.call("DELETE", f"/v1/posts/{gone}")
        self.hanako.edits(self.post, 1, body="戻ってくるまでに直した本文")
        page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        self.live(page)
        page.locator(f"[data-id='{gone}']").wait_for(state="detached")
        page.get_by_text("戻ってくるまでに直した本文").wait_for()
        eventually(page, "document.querySelector('article [data-f=likeCount]').textContent === '1'")

    def keeping(self):
        """A browser that keeps pages that were left, as it does for people; Playwright's does not."""
        browser = Stage.browser.browser_type.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"] if os.getuid() == 0 else [],
            ignore_default_args=["--disable-back-forward-cache"])
        self.addCleanup(browser.close)
        context = self.visitor(browser)
        context.add_init_script("addEventListener('pageshow', event => { window.persisted = event.persisted; })")
        return context

    def test_back_leads_to_the_page_as_it_was_left_and_as_it_is_now(self):
        page = self.tab(self.keeping(), f"/threads/{self.thread}")
        page.evaluate("window.mark = 'the same page'")
        page.locator("article h2 a").click()
        page.wait_for_url(f"**/posts/{self.post}")
        ready(page)
        gone = self.hanako.posts(self.thread, "前の画面に戻るまでに消える投稿です")
        new = self.hanako.posts(self.thread, "前の画面に戻るまでに書かれた投稿です")
        self.hanako.call("DELETE", f"/v1/posts/{gone}")
        self.hanako.edits(self.post, 1, body="前の画面に戻るまでに直した本文")
        page.go_back(wait_until="commit")
        self.assertEqual(page.evaluate("[window.persisted, window.mark]"), [True, "the same page"])
        page.get_by_text("前の画面に戻るまでに直した本文").wait_for()
        page.get_by_role("button", name="新しい投稿が 1 件").click()
        self.assertEqual([card.get_attribute("data-id") for card in page.locator("article").all()], [new, self.post])
        # Who signs up on the next screen is known on the one before.
        page.locator(f"#post-{self.post} h2 a").click()
        page.wait_for_url(f"**/posts/{self.post}")
        ready(page)
        with page.expect_response("**/like"):
            page.locator(".like").click()
            self.named(page)
        page.go_back(wait_until="commit")
        eventually(page, "document.body.dataset.user !== ''")
        page.locator(f"#post-{self.post} .like[aria-pressed=true]").wait_for()
        self.assertEqual(page.evaluate("window.mark"), "the same page")

    def test_a_service_that_is_away_is_said_and_all_comes_back_by_itself(self):
        if not Stage.board: self.skipTest("this board's services are not ours to stop")
        self.expected = ["503", "504"]
        context = self.browser()
        shown = self.tab(context, f"/threads/{self.thread}")
        writing = context.new_page()
        writing.goto(f"/threads/{self.thread}/write")
        ready(writing)
        writing.locator("#title").fill("サービスが休んでいる間に送った投稿")
        writing.locator("#body").fill("本文")
        unread = self.hanako.opens("まだだれも読んでいないスレッド")
        self.hanako.posts(unread, "サービスが戻ると見える投稿の題名")
        posts = Stage.board.child("posts")
        posts.send(signal.SIGSTOP)
        self.addCleanup(posts.send, signal.SIGCONT)
        away = context.new_page()
        away.goto(f"/threads/{unread}?order=oldest")
        away.get_by_text("いま開けません").wait_for()
        self.assertEqual(away.get_by_role("heading", level=1).first.inner_text(), "まだだれも読んでいないスレッド")
        self.shoot(away, "away")
        writing.get_by_role("button", name="投稿する").click()
        self.named(writing)
        writing.get_by_text("送れませんでした。書いたものは残っています。").wait_for()
        self.assertEqual(shown.locator("article").count(), 1)
        posts.send(signal.SIGCONT)
        away.get_by_text("サービスが戻ると見える投稿の題名").wait_for()
        writing.wait_for_url(f"**/threads/{self.thread}")
        eventually(shown, "document.querySelectorAll('article').length === 2 || document.querySelector('#news button') !== null")
        self.assertEqual(len(self.hanako.posts_of(self.thread)), 2)

    def test_who_signed_up_meanwhile_is_known_to_the_other_tabs_and_to_pages_put_aside(self):
        context = self.browser()
        aside = self.tab(context, f"/threads/{self.thread}")
        aside.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
        other = self.tab(context, f"/posts/{self.post}")
        writing = context.new_page()
        writing.goto(f"/threads/{self.thread}/write")
        ready(writing)
        writing.locator("#body").fill("書きかけの本文")
        other.locator(".like").click()
        self.named(other)
        eventually(other, "document.body.dataset.user !== ''")
        user = other.evaluate("document.body.dataset.user")
        for page in (aside, writing): eventually(page, "user => document.body.dataset.user === user", user)
        self.assertEqual(writing.locator("#body").input_value(), "書きかけの本文")
        aside.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        aside.locator("article .like[aria-pressed=true]").wait_for()
        # A page that slept through it learns it when it is shown again, and what is its own is its own.
        thread = aside.evaluate("""() => fetch('/v1/threads', { method: 'POST', body: JSON.stringify({ title: '自分のスレッド', description: '', kind: 'discussion' }),
            headers: { 'Keijiban-Page': '1', 'Content-Type': 'application/json' } }).then(answer => answer.json()).then(({ id }) => id)""")
        own = self.tab(context, f"/threads/{thread}")
        own.evaluate("() => { document.body.dataset.user = ''; for (const node of document.querySelectorAll('[data-own]')) node.hidden = true; }")
        own.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        eventually(own, "user => document.body.dataset.user === user && document.querySelector('.thread-head [data-own][hidden]') === null", user)

    def test_what_another_writes_is_there_soon(self):
        page = self.tab(self.browser(), f"/threads/{self.thread}")
        taken = []
        for number in range(1, 6):
            began = time.monotonic()
            self.hanako.posts(self.thread, f"どれだけ早く見えるかを測る投稿、{number}")
            page.get_by_role("button", name=f"新しい投稿が {number} 件").wait_for()
            taken.append(time.monotonic() - began)
        print(f"(from a write to its sight: {', '.join(f'{each:.2f}' for each in taken)} s) ", end="", flush=True)
        self.assertLess(min(taken), 10)

    def test_reports_of_the_day_come_change_and_go(self):
        thread = self.hanako.opens("日報のスレッド", kind="dailyReport")
        page = self.tab(self.browser(), f"/daily?thread={thread}&date=2026-03-04")
        page.get_by_text("この日の日報はありません").wait_for()
        mark = ".week a[href$='date=2026-03-04']"
        self.assertNotIn("has", page.locator(mark).get_attribute("class") or "")
        first = self.hanako.posts(thread, None, "はじめの日報", day="2026-03-04")
        page.locator(f"[data-id='{first}']").wait_for()
        page.locator(f"{mark}.has").wait_for()
        other = self.hanako.posts(thread, None, "ほかの日の日報", day="2026-03-05")
        page.locator(".week a.has[href$='date=2026-03-05']").wait_for()
        self.assertEqual(page.locator("ol.list > li").count(), 1)
        second = self.hanako.call("POST", f"/v1/threads/{thread}/posts", {"body": "あとの日報", "title": "おなじ日のもうひとつの日報です、十五", "date": "2026-03-04T18:00:00+09:00"})["id"]
        page.get_by_role("button", name="新しい投稿が 1 件").click()
        self.assertEqual([row.get_attribute("data-id") for row in page.locator("a.row").all()], [second, first])
        self.hanako.edits(second, 1, body="なおした日報")
        page.get_by_text("なおした日報").wait_for()
        self.hanako.edits(second, 2, date="2026-03-05T12:00:00+09:00")
        page.locator(f"[data-id='{second}']").wait_for(state="detached")
        self.hanako.call("DELETE", f"/v1/posts/{first}")
        page.get_by_text("この日の日報はありません").wait_for()
        page.locator(f"{mark}:not(.has)").wait_for()

    def test_findings_change_and_go_and_none_is_put_in(self):
        other = self.hanako.opens("もうひとつのスレッド")
        far = self.hanako.posts(other, "ちがうスレッドの、いくつものタブの投稿")
        page = self.tab(self.browser(), "/search?q=いくつものタブ")
        page.locator(f"[data-id='{far}']").wait_for()
        self.hanako.likes(far)
        eventually(page, "id => document.querySelector(`[data-id='${id}'] [data-f=likeCount]`).textContent === '1'", far)
        self.hanako.edits(self.post, 1, body="いくつものタブで、なおした本文")
        page.get_by_text("いくつものタブで、なおした本文").wait_for()
        rows = page.locator("a.row").count()
        new = self.hanako.posts(other, "いくつものタブに、あとから加わる投稿")
        self.hanako.call("DELETE", f"/v1/posts/{far}")
        page.locator(f"[data-id='{far}']").wait_for(state="detached")
        self.assertEqual(page.locator("a.row").count(), rows - 1)
        self.assertEqual(page.locator(f"[data-id='{new}']").count(), 0)

    def test_a_users_screen_counts_and_follows(self):
        user = self.hanako.call("GET", "/v1/users/me")["id"]
        page = self.tab(self.browser(), f"/users/{user}")
        posts = lambda text: eventually(page, "text => document.querySelector('.head [data-f=postCount]').textContent === text", text)
        posts("1")
        elsewhere = self.hanako.opens("まだ知られていないスレッド")
        new = self.hanako.posts(elsewhere, "この人があとから書いた投稿の題名")
        posts("2")
        page.get_by_role("button", name="新しい投稿が 1 件").click()
        self.assertEqual(page.locator("a.row").first.get_attribute("data-id"), new)
        # The thread that came with it is followed, too.
        self.somebody("たろう").likes(new)
        eventually(page, "id => document.querySelector(`[data-id='${id}'] [data-f=likeCount]`).textContent === '1'", new)
        eventually(page, "document.querySelector('.head [data-f=likeCount]').textContent === '1'")
        self.hanako.call("DELETE", f"/v1/posts/{self.post}")
        page.locator(f"[data-id='{self.post}']").wait_for(state="detached")
        posts("1")

    def test_my_page_follows_what_i_do_in_another_tab(self):
        context = self.browser()
        writer = context.new_page()

        def write(title):
            writer.goto(f"/threads/{self.thread}/write")
            ready(writer)
            writer.locator("#title").fill(title)
            writer.locator("#body").fill("本文")
            writer.get_by_role("button", name="投稿する").click()

        write("自分のページに並ぶはじめの投稿です")
        self.named(writer)
        writer.wait_for_url(f"**/threads/{self.thread}")
        mine = self.tab(context, "/me")
        count = lambda text: eventually(mine, "text => document.querySelector('.profile [data-f=postCount]').textContent === text", text)
        count("1")
        write("ほかのタブで書いた、ふたつめの投稿")
        writer.wait_for_url(f"**/threads/{self.thread}")
        ready(writer)
        mine.locator("#mine").get_by_text("ほかのタブで書いた、ふたつめの投稿").wait_for()
        count("2")
        card = writer.locator("article", has_text="自分のページに並ぶはじめの投稿です")
        card.locator("summary").click()
        card.get_by_role("button", name="削除").click()
        writer.get_by_role("dialog").get_by_role("button", name="削除").click()
        mine.locator("#mine").get_by_text("自分のページに並ぶはじめの投稿です").wait_for(state="detached")
        count("1")
        self.assertEqual(mine.locator("#mine li").count(), 1)

    def test_where_locks_are_refused_a_tab_has_a_stream_of_its_own(self):
        context = self.visitor()
        context.add_init_script("if (navigator.locks) navigator.locks.request = () => Promise.reject(new DOMException('denied', 'SecurityError'));")
        page = context.new_page()
        page.goto(f"/threads/{self.thread}")
        self.live(page)

    def test_a_leader_that_hangs_is_replaced(self):
        context = self.browser()
        leader, other = (self.tab(context, f"/threads/{self.thread}") for _ in range(2))
        # It holds the lock and says nothing any more.
        leader.evaluate("() => { setTimeout(() => { const end = Date.now() + 40_000; while (Date.now() < end); }, 50); }")
        title = "先頭のタブが止まっていても届く投稿です"
        self.hanako.posts(self.thread, title)
        eventually(other, "title => document.body.textContent.includes(title) || document.querySelector('.news .button')", title, seconds=35)

    def test_a_post_one_likes_stays_in_the_list_when_it_is_edited(self):
        post = self.hanako.posts(self.thread, "いいねされたあとで直される、ある投稿です")
        context = self.member()
        page = context.new_page()
        page.goto(f"/posts/{post}")
        ready(page)
        page.locator("[data-act=like]").first.click()
        page.locator("[data-act=like][aria-pressed=true]").first.wait_for()
        page.goto("/me")
        ready(page)
        page.get_by_role("tab", name="いいねした投稿").click()
        row = page.locator("#mine li")
        row.get_by_text("いいねされたあとで直される").wait_for()
        self.live(page)
        page.evaluate("""() => { window.wasEmpty = false; new MutationObserver(() => {
            if (!document.querySelector('#mine li')) window.wasEmpty = true; }).observe(document.querySelector('#mine'), { childList: true, subtree: true }); }""")
        self.hanako.edits(post, 1, title="直されたあとも並んでいる、ある投稿です")
        row.get_by_text("直されたあとも並んでいる").wait_for()
        self.assertFalse(page.evaluate("window.wasEmpty"))
