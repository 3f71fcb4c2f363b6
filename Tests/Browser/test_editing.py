"""Changing what is there: drafts outlive other changes, and nothing that is typed is lost or put over what others did."""
import re

from person import PICTURES
from stage import PageTest, Stage, ready

TITLE = "あとから直すために書いた投稿です"


class Editing(PageTest):
    def setUp(self):
        super().setUp()
        self.thread = self.somebody().opens("直すためのスレッド")

    def author(self):
        """A browser whose user has written a post; its edit screen and the post's id."""
        page = self.page(f"/threads/{self.thread}/write")
        ready(page)
        page.locator("#title").fill(TITLE)
        page.locator("#body").fill("はじめの本文")
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url(f"**/threads/{self.thread}")
        post = page.locator("article").get_attribute("data-id")
        return self.edit(page, f"/posts/{post}"), post

    def edit(self, page, path):
        page.goto(f"{path}/edit")
        ready(page)
        return page

    def elsewhere(self, page, path, version, **changes):
        """The same user in another tab."""
        other = page.context.new_page()
        other.goto("/documents")
        status = other.evaluate("""([path, version, changes]) => fetch(path, { method: 'PATCH', body: JSON.stringify(changes),
            headers: { 'Keijiban-Page': '1', 'Content-Type': 'application/json', 'If-Match': `"v${version}"` } }).then(answer => answer.status)""",
            [path, version, changes])
        self.assertEqual(status, 200)
        other.close()

    def read(self, page, path): return page.evaluate("path => fetch(path).then(answer => answer.json())", path)

    def save(self, page): page.get_by_role("button", name="変更を保存").click()

    def lose_the_answer(self, page, path):
        lost = []

        def answer(route):
            if route.request.method == "PATCH" and not lost:
                lost.append(route.fetch())
                route.abort()
            else: route.continue_()

        page.route(f"**{path}", answer)
        return lost

    def test_a_draft_outlives_a_change_elsewhere_and_one_is_chosen(self):
        page, post = self.author()
        path = f"/v1/posts/{post}"
        for choice, body in (("書いたものにする", "書きかけの本文"), ("いまの内容にする", "ほかのタブで直した本文、版は3")):
            with self.subTest(choice=choice):
                version = self.read(page, path)["version"]
                self.edit(page, f"/posts/{post}")
                page.locator("#body").fill("書きかけの本文")
                page.get_by_text("下書きを保存しました").wait_for()
                self.elsewhere(page, path, version, body=f"ほかのタブで直した本文、版は{version + 1 if choice.startswith('書') else 3}")
                page.reload()
                ready(page)
                self.assertEqual(page.locator("#body").input_value(), "書きかけの本文")
                page.locator("form > .meanwhile:first-child").get_by_text("ほかの変更が先に行われました。").wait_for()
                self.assertTrue(page.locator("#send").is_disabled())
                page.get_by_text("いまの内容を見る").click()
                self.assertIn("ほかのタブで直した本文", page.locator(".meanwhile .body").inner_text())
                self.shoot(page, "meanwhile")
                if choice.startswith("書"):
                    page.get_by_role("button", name=choice).click()
                    page.wait_for_url(f"**/posts/{post}")
                else:
                    with page.expect_navigation(): page.get_by_role("button", name=choice).click()
                    ready(page)
                    self.assertEqual(page.locator("#body").input_value(), body)
                    self.assertTrue(page.locator("#discard").is_hidden())
                self.assertEqual(self.read(page, path)["body"], body)

    def test_a_change_that_comes_first_is_shown_in_place_and_nothing_typed_is_lost(self):
        self.expected = ["412"]
        page, post = self.author()
        path = f"/v1/posts/{post}"
        page.locator("#body").fill("ここで直した本文")
        self.elsewhere(page, path, 1, title="ほかのタブで直した題名、十五文字以上")
        self.save(page)
        page.get_by_text("いまの内容を見る").click()
        page.locator(".meanwhile").get_by_text("ほかのタブで直した題名、十五文字以上").wait_for()
        self.assertEqual(page.locator("#body").input_value(), "ここで直した本文")
        page.locator("#body").fill("ここで直した本文、さらに直した")
        self.assertTrue(page.locator("#send").is_disabled())
        # It changes once more while one chooses.
        self.elsewhere(page, path, 2, body="もう一度ほかで直した本文")
        page.get_by_role("button", name="書いたものにする").click()
        page.locator(".meanwhile").get_by_text("もう一度ほかで直した本文").wait_for(state="attached")
        self.assertEqual(page.locator(".meanwhile").count(), 1)
        page.get_by_role("button", name="書いたものにする").click()
        page.wait_for_url(f"**/posts/{post}")
        found = self.read(page, path)
        self.assertEqual((found["title"], found["body"], found["version"]), (TITLE, "ここで直した本文、さらに直した", 4))

    def test_a_change_whose_answer_was_lost_is_done(self):
        self.expected = ["ERR_FAILED", "412"]
        page, post = self.author()
        lost = self.lose_the_answer(page, f"/v1/posts/{post}")
        page.locator("#body").fill("答えの届かなかった本文")
        page.locator("#picture").set_input_files(PICTURES / "a.jpg")
        page.locator("#preview .frame img").wait_for()
        self.save(page)
        page.get_by_text("送れませんでした。").wait_for()
        page.wait_for_url(f"**/posts/{post}")
        self.assertEqual(len(lost), 1)
        self.assertEqual(self.read(page, f"/v1/posts/{post}")["version"], 2)
        self.edit(page, f"/posts/{post}")
        self.assertTrue(page.locator("#discard").is_hidden())

    def test_a_change_whose_answer_was_lost_is_no_draft_after_a_reload(self):
        self.expected = ["ERR_FAILED"]
        page, post = self.author()
        self.lose_the_answer(page, f"/v1/posts/{post}")
        page.locator("#body").fill("答えの届かなかった本文")
        self.save(page)
        page.get_by_text("送れませんでした。").wait_for()
        page.reload()
        ready(page)
        self.assertEqual(page.locator("#body").input_value(), "答えの届かなかった本文")
        self.assertEqual(page.locator(".meanwhile").count(), 0)
        self.assertTrue(page.locator("#discard").is_hidden())
        self.assertEqual(page.locator("#form-says").inner_text(), "")

    def test_what_is_typed_while_it_is_found_out_that_a_change_is_done_stays(self):
        self.expected = ["ERR_FAILED"]
        page, post = self.author()
        path = f"/v1/posts/{post}"
        self.lose_the_answer(page, path)
        page.locator("#body").fill("答えの届かなかった本文")
        self.save(page)
        page.get_by_text("送れませんでした。").wait_for()
        # What stands there is told only when more has been typed.
        page.add_init_script("""(() => {
            const native = window.fetch;
            window.fetch = async (target, options) => {
                if (String(target).includes('/v1/posts/')) await new Promise(resolve => { window.goOn = resolve; });
                return native(target, options);
            };
        })()""")
        page.reload()
        self.eventually(page, "Boolean(window.goOn) && document.querySelector('#body').value === '答えの届かなかった本文'")
        page.locator("#body").press("Control+End")
        page.locator("#body").press_sequentially("、その後")
        page.evaluate("() => { const goOn = window.goOn; window.goOn = null; goOn(); }")
        ready(page)
        self.assertEqual(page.locator("#body").input_value(), "答えの届かなかった本文、その後")
        self.save(page)
        self.eventually(page, "Boolean(window.goOn)")
        page.evaluate("() => { const goOn = window.goOn; window.goOn = null; goOn(); }")
        page.wait_for_url(f"**/posts/{post}")
        self.assertEqual(page.request.get(path).json()["body"], "答えの届かなかった本文、その後")

    def test_a_lost_answer_and_a_change_after_it_leave_the_choice(self):
        self.expected = ["ERR_FAILED", "412"]
        page, post = self.author()
        path = f"/v1/posts/{post}"
        lost = []

        def answer(route):
            if route.request.method != "PATCH" or lost: return route.continue_()
            lost.append(route.fetch())
            self.elsewhere(page, path, 2, body="そのあとで直した本文")
            route.abort()

        page.route(f"**{path}", answer)
        page.locator("#body").fill("答えの届かなかった本文")
        self.save(page)
        page.get_by_role("button", name="書いたものにする").wait_for()
        self.assertEqual(self.read(page, path)["body"], "そのあとで直した本文")
        self.assertEqual(page.locator("#body").input_value(), "答えの届かなかった本文")

    def test_a_picture_that_is_taken_away_stays_away_in_the_draft(self):
        page, post = self.author()
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        page.locator("#preview .frame img").wait_for()
        self.save(page)
        page.wait_for_url(f"**/posts/{post}")
        self.edit(page, f"/posts/{post}")
        page.get_by_role("button", name="写真を外す").click()
        page.reload()
        ready(page)
        self.assertTrue(page.locator("#picked").is_hidden())
        self.save(page)
        page.wait_for_url(re.compile(r"/posts/[0-9a-f-]+$"))
        self.assertIsNone(self.read(page, f"/v1/posts/{post}")["image"])

    def test_a_thread_is_changed_by_its_owner(self):
        self.expected = ["412"]
        page = self.page("/threads/new")
        ready(page)
        page.locator("#title").fill("直されるスレッド")
        page.locator("#description").fill("はじめの説明")
        page.get_by_role("button", name="スレッドを立てる").click()
        self.named(page)
        page.wait_for_url(re.compile(r"/threads/[0-9a-f-]{36}$"))
        thread = page.url.split("/")[-1]
        ready(page)
        page.locator(".thread-head summary").click()
        page.get_by_role("link", name="スレッドを編集").click()
        ready(page)
        self.assertEqual((page.locator("#title").input_value(), page.locator("#description").input_value()), ("直されるスレッド", "はじめの説明"))
        self.assertEqual(page.locator("[name=kind]").count(), 0)
        page.locator("#title").fill("直されたスレッド")
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        page.locator("#preview .thumb img").wait_for()
        page.reload()
        ready(page)
        self.assertEqual(page.locator("#title").input_value(), "直されたスレッド")
        page.locator("#preview .thumb img").wait_for()
        self.shoot(page, "thread-edit")
        self.elsewhere(page, f"/v1/threads/{thread}", 1, description="ほかのタブで直した説明")
        self.save(page)
        page.get_by_text("いまの内容を見る").click()
        page.locator(".meanwhile").get_by_text("ほかのタブで直した説明").wait_for()
        page.locator("#description").fill("ふたつをあわせた説明")
        page.get_by_role("button", name="書いたものにする").click()
        page.wait_for_url(f"**/threads/{thread}")
        ready(page)
        self.assertEqual(page.get_by_role("heading", level=1).inner_text(), "直されたスレッド")
        found = self.read(page, f"/v1/threads/{thread}")
        self.assertEqual((found["description"], found["version"], found["image"] is None), ("ふたつをあわせた説明", 3, False))
        self.edit(page, f"/threads/{thread}")
        self.assertTrue(page.locator("#discard").is_hidden())
        page.get_by_role("button", name="写真を外す").click()
        self.save(page)
        page.wait_for_url(f"**/threads/{thread}")
        self.assertIsNone(self.read(page, f"/v1/threads/{thread}")["image"])

    def test_a_stranger_is_shown_no_way_to_change_a_thread(self):
        page = self.page(f"/threads/{self.thread}")
        ready(page)
        page.locator(".thread-head summary").click()
        self.assertTrue(page.get_by_role("button", name="共有").first.is_visible())
        self.assertEqual(page.get_by_role("link", name="スレッドを編集").count(), 0)
