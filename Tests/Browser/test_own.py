"""What is one's own: name, lists, account, documents."""
import io, json, re, urllib.error, zipfile

from person import PICTURES
from stage import PageTest, Stage, eventually, ready

TITLE = "文書から投稿された十五文字以上の題"


def textpack(title, body, picture=None, more=None):
    """A document as another program would pack it: compressed, in a folder of its own."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("旅.textbundle/info.json", json.dumps({"version": 2, "type": "net.daringfireball.markdown"}))
        link = "\n\n![](assets/photo.jpg)" if picture else ""
        archive.writestr("旅.textbundle/text.md", f"# {title}\n\n{body}{link}\n")
        if picture: archive.write(PICTURES / f"{picture}.jpg", "旅.textbundle/assets/photo.jpg")
        for name, content in (more or {}).items(): archive.writestr(f"旅.textbundle/{name}", content)
    return {"name": "旅.textpack", "mimeType": "application/zip", "buffer": packed.getvalue()}


class Own(PageTest):
    def setUp(self):
        super().setUp()
        self.hanako = self.somebody()
        self.thread = self.hanako.opens("自分のもののスレッド")
        self.post = self.hanako.posts(self.thread, "はなこさんが書いたはじめの投稿です", picture="a")

    def signed_up(self, **options):
        """A page of somebody who has written a post and likes another."""
        page = self.page(f"/threads/{self.thread}/write", **options)
        ready(page)
        page.locator("#title").fill("自分で書いた、いちばん最初の投稿")
        page.locator("#body").fill("本文です。")
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url(f"**/threads/{self.thread}")
        ready(page)
        with page.expect_response("**/like"): page.locator(f"[data-id='{self.post}'] .like").click()
        return page

    def test_my_page_has_my_posts_and_what_i_like(self):
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        self.assertEqual(page.locator("#displayName").input_value(), "みどり")
        self.assertEqual(page.locator("#mine h2").all_inner_texts(), ["自分で書いた、いちばん最初の投稿"])
        page.get_by_role("tab", name="いいねした投稿").click()
        page.locator("#mine").get_by_text("はなこさんが書いたはじめの投稿です").wait_for()
        self.assertEqual(page.locator("#mine h2").count(), 1)
        self.shoot(page, "me-liked")

    def test_my_lists_come_when_their_service_is_back(self):
        self.expected = ["503"]
        page = self.signed_up()
        page.route("**/v1/users/me/posts*", lambda route: route.fulfill(
            status=503, content_type="application/problem+json", body='{"title":"ただいま利用できません。","status":503}'))
        page.goto("/me")
        ready(page)
        page.locator("#mine").get_by_text("ただいま利用できません。").wait_for()
        page.unroute("**/v1/users/me/posts*")
        page.locator("#mine").get_by_text("自分で書いた、いちばん最初の投稿").wait_for()

    def test_a_name_is_changed_and_stands_everywhere(self):
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        name = page.locator("#displayName")
        name.fill("あ" * 21)
        self.assertTrue(page.locator("#rename-send").is_disabled())
        self.assertEqual(page.locator("[data-count=displayName]").inner_text(), "21")
        name.fill("みずいろ")
        page.locator("#rename-send").click()
        page.get_by_text("名前を変えました。").wait_for()
        page.goto(f"/threads/{self.thread}")
        self.assertEqual(page.locator("article [data-f=author]").first.inner_text(), "みずいろ")

    def test_a_post_is_changed(self):
        page = self.signed_up()
        mine = page.locator("article", has_text="自分で書いた")
        mine.locator("summary").click()
        mine.get_by_role("link", name="編集").click()
        ready(page)
        self.assertEqual(page.locator("#title").input_value(), "自分で書いた、いちばん最初の投稿")
        page.locator("#title").fill("自分で書いた投稿を、あとから直した")
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        page.locator("#preview .frame img").wait_for()
        page.get_by_role("button", name="変更を保存").click()
        page.wait_for_url("**/posts/*")
        ready(page)
        self.assertEqual(page.get_by_role("heading", level=1).inner_text(), "自分で書いた投稿を、あとから直した")
        self.assertTrue(page.get_by_text("編集済み").is_visible())
        self.assertEqual(page.locator(".frame img").count(), 1)
        page.goto(page.url + "/edit")
        ready(page)
        page.get_by_role("button", name="写真を外す").click()
        page.get_by_role("button", name="変更を保存").click()
        page.wait_for_url(re.compile(r"/posts/[0-9a-f-]+$"))
        self.assertTrue(page.locator(".frame.none svg").is_visible())

    def test_the_account_moves_to_another_device_by_code(self):
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        page.get_by_role("button", name="コードを作る").click()
        eventually(page, "() => /コード: \\S+/.test(document.querySelector('#transfer-says').textContent)")
        code = re.search(r"コード: (\S+?)（", page.locator("#transfer-says").inner_text())[1]
        other = self.page("/me")
        ready(other)
        self.assertTrue(other.get_by_text("まだアカウントはありません").is_visible())
        self.expected = ["422"]
        other.locator("#code").fill("WRONG00000")
        other.get_by_role("button", name="引き継ぐ").click()
        other.get_by_text("このコードは使えません。").wait_for()
        other.locator("#code").fill(code)
        with other.expect_navigation(): other.get_by_role("button", name="引き継ぐ").click()
        ready(other)
        self.assertEqual(other.locator("#displayName").input_value(), "みどり")
        self.assertEqual(other.evaluate("document.body.dataset.user"), page.evaluate("document.body.dataset.user"))

    def test_an_account_is_not_given_up_for_a_code_unasked(self):
        giver = self.signed_up()
        code = giver.evaluate("fetch('/v1/users/me/transfer', { method: 'POST', headers: { 'Keijiban-Page': '1' } }).then(answer => answer.json()).then(answer => answer.transferCode)")
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        user = page.evaluate("document.body.dataset.user")
        page.locator("#code").fill(code)
        page.get_by_role("button", name="引き継ぐ").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_text("この端末から二度と開けなくなります").wait_for()
        self.shoot(page, "enter-ask")
        dialog.get_by_role("button", name="やめる").click()
        page.reload()
        ready(page)
        self.assertEqual(page.evaluate("document.body.dataset.user"), user)
        page.locator("#code").fill(code)
        page.get_by_role("button", name="引き継ぐ").click()
        with page.expect_navigation(): dialog.get_by_role("button", name="引き継ぐ").click()
        ready(page)
        self.assertEqual(page.evaluate("document.body.dataset.user"), giver.evaluate("document.body.dataset.user"))

    def test_everything_that_is_mine_is_downloaded(self):
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        with page.expect_download() as download: page.get_by_role("button", name="ダウンロード").click()
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertTrue(any(name.endswith(".json") for name in archive.namelist()))

    def test_a_deleted_account_takes_all_with_it(self):
        page = self.signed_up()
        page.goto("/me")
        ready(page)
        page.locator("#erase").click()
        page.get_by_role("dialog").get_by_role("button", name="削除").click()
        page.wait_for_url(Stage.url + "/")
        self.assertEqual([cookie["name"] for cookie in page.context.cookies() if "position" not in cookie["name"]], [])
        page.goto(f"/threads/{self.thread}")
        eventually(page, "thread => fetch(`/v1/threads/${thread}/posts`).then(answer => answer.json()).then(page => page.items.length === 1)", self.thread)
        page.goto("/me")
        self.assertTrue(page.get_by_text("まだアカウントはありません").is_visible())

    def test_a_document_is_opened_changed_saved_and_posted(self):
        page = self.page(f"/documents?thread={self.thread}", viewport={"width": 1100, "height": 900})
        ready(page)
        page.locator("#file").set_input_files(textpack("旅の記録", "一日め。", picture="e"))
        page.locator("#preview .frame img").wait_for()
        self.assertEqual(page.locator("#text").input_value(), "# 旅の記録\n\n一日め。")
        self.assertEqual(page.locator("#preview [data-f=title]").inner_text(), "旅の記録")
        self.assertTrue(page.locator("#send").is_disabled())
        page.locator("#text").fill(f"# {TITLE}\n\n一日め。\n\n二日め。")
        self.shoot(page, "document")
        with page.expect_download() as download: page.get_by_role("button", name="保存").click()
        self.assertEqual(download.value.suggested_filename, "旅.textpack")
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertIsNone(archive.testzip())
            text = next(name for name in archive.namelist() if name.endswith("text.md"))
            self.assertEqual(archive.read(text).decode(), f"# {TITLE}\n\n一日め。\n\n二日め。\n\n![](assets/photo.jpg)\n")
            self.assertEqual(archive.read(text.replace("text.md", "assets/photo.jpg")), (PICTURES / "e.jpg").read_bytes())
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url("**/posts/*")
        post = self.hanako.post(page.url.split("/")[-1])
        self.assertEqual((post["title"], post["body"], post["image"]["contentType"]), (TITLE, "一日め。\n\n二日め。", "image/jpeg"))

    def test_a_document_is_given_back_with_all_that_was_in_it(self):
        page = self.page("/documents")
        ready(page)
        more = {"assets/other.png": b"not ours", "notes/100%.txt": b"kept"}
        page.locator("#file").set_input_files(textpack("旅の記録", "一日め。", picture="e", more=more))
        page.locator("#preview .frame img").wait_for()
        page.locator("#text").fill("# 旅の記録\n\n二日め。")
        page.reload()
        ready(page)

        def saved():
            with page.expect_download() as download: page.get_by_role("button", name="保存").click()
            with zipfile.ZipFile(download.value.path()) as archive:
                return {name.removeprefix("旅.textbundle/"): archive.read(name) for name in archive.namelist()}

        files = saved()
        self.assertEqual({name: files[name] for name in more}, more)
        self.assertEqual(json.loads(files["info.json"]), {"version": 2, "type": "net.daringfireball.markdown"})
        self.assertEqual(files["text.md"].decode(), "# 旅の記録\n\n二日め。\n\n![](assets/photo.jpg)\n")
        self.assertEqual(files["assets/photo.jpg"], (PICTURES / "e.jpg").read_bytes())
        before = page.locator("#preview .frame img").get_attribute("src")
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        eventually(page, "before => ![null, undefined, before].includes(document.querySelector('#preview .frame img')?.getAttribute('src'))", before)
        files = saved()
        self.assertNotIn("assets/photo.jpg", files)
        self.assertEqual(files["assets/image.jpg"], (PICTURES / "c.jpg").read_bytes())
        self.assertEqual({name: files[name] for name in more}, more)

    def test_a_document_that_could_not_be_sent_goes_out_by_itself(self):
        self.expected = ["ERR_FAILED"]
        page = self.page(f"/documents?thread={self.thread}")
        ready(page)
        page.get_by_role("button", name="新しく書く").click()
        page.locator("#text").fill(f"# {TITLE}\n\n本文。")
        page.locator("#send").click()
        page.get_by_role("dialog").get_by_role("button", name="やめる").click()
        eventually(page, "!document.querySelector('#send').disabled")
        lost = []
        page.route("**/posts/import", lambda route: (lost.append(route.fetch()), route.abort()) if not lost else route.continue_())
        page.locator("#send").click()
        self.named(page)
        page.get_by_text("送れませんでした。").wait_for()
        page.wait_for_url("**/posts/*")
        self.assertEqual([post["title"] for post in self.hanako.posts_of(self.thread)].count(TITLE), 1)

    def test_a_document_that_is_none_is_refused(self):
        page = self.page("/documents")
        ready(page)
        for content, text in ((b"no archive", "この文書は開けません。"), (b"x" * 2_000_001, "文書が大きすぎます。")):
            page.locator("#file").set_input_files({"name": "a.textpack", "mimeType": "application/zip", "buffer": content})
            page.locator("#file-says").get_by_text(text).wait_for()
        bomb = io.BytesIO()
        with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive: archive.writestr("text.md", b"a" * 5_000_000)
        page.locator("#file").set_input_files({"name": "b.textpack", "mimeType": "application/zip", "buffer": bomb.getvalue()})
        page.locator("#file-says").get_by_text("文書が大きすぎます。").wait_for()

    def test_a_post_is_saved_as_a_document_and_opens_again(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        page.locator("article summary").click()
        with page.expect_download() as download: page.get_by_role("button", name="TextPack で保存").click()
        self.assertTrue(download.value.suggested_filename.endswith(".textpack"))
        content = download.value.path()
        page.goto("/documents")
        ready(page)
        page.locator("#file").set_input_files({"name": "a.textpack", "mimeType": "application/zip", "buffer": content.read_bytes()})
        page.locator("#preview .frame img").wait_for()
        self.assertEqual(page.locator("#preview [data-f=title]").inner_text(), "はなこさんが書いたはじめの投稿です")

    def imports(self, page, answer):
        """The keys of what is posted to each thread; `answer(route, number)` says what becomes of it."""
        keys = []

        def see(route):
            keys.append((route.request.url.split("/threads/")[1].split("/")[0], route.request.headers["idempotency-key"]))
            answer(route, len(keys))

        page.route("**/posts/import", see)
        return keys

    def written(self, page, text=f"# {TITLE}\n\n本文。"):
        page.get_by_role("button", name="新しく書く").click()
        page.locator("#text").fill(text)
        eventually(page, "!document.querySelector('#send').disabled")

    def test_a_document_that_was_sent_before_a_reload_is_not_posted_twice(self):
        self.expected = ["ERR_FAILED"]
        page = self.signed_up()
        page.goto(f"/documents?thread={self.thread}")
        ready(page)
        self.written(page)
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        page.locator("#preview .frame img").wait_for()
        keys = self.imports(page, lambda route, number: (route.fetch(), route.abort()) if number == 1 else route.continue_())
        page.locator("#send").click()
        page.get_by_text("送れませんでした。").wait_for()
        other = self.hanako.opens("ほかのもっと新しいスレッド")
        page.goto(f"/documents?thread={other}")
        ready(page)
        page.get_by_text("届いたかどうかまだわかりません").wait_for()
        self.assertEqual(page.locator("#into").input_value(), self.thread)
        page.locator("#send").click()
        page.wait_for_url("**/posts/*")
        self.assertEqual(len(set(keys)), 1)
        self.assertGreaterEqual(len(keys), 2)
        self.assertEqual([post["title"] for post in self.hanako.posts_of(self.thread)].count(TITLE), 1)
        page.goto("/documents")
        ready(page)
        self.assertTrue(page.locator("#form").is_hidden())

    def test_a_document_has_a_key_for_each_thread_and_each_content(self):
        self.expected = ["503"]
        other = self.hanako.opens("別の行き先のスレッド")
        page = self.signed_up()
        page.goto(f"/documents?thread={self.thread}")
        ready(page)
        self.written(page)
        refusal = {"status": 503, "content_type": "application/problem+json", "body": '{"title":"x","status":503}'}
        keys = self.imports(page, lambda route, number: route.fulfill(**refusal))

        def sent():
            before = len(keys)
            page.locator("#send").click()
            page.get_by_text("送れませんでした。").wait_for()
            self.assertGreater(len(keys), before)
            return keys[before]

        first = sent()
        page.locator("#into").select_option(other)
        second = sent()
        self.assertEqual((first[0], second[0]), (self.thread, other))
        self.assertNotEqual(first[1], second[1])
        page.locator("#into").select_option(self.thread)
        self.assertEqual(sent(), first)
        page.locator("#text").fill(f"# {TITLE}\n\n別の本文。")
        self.assertNotEqual(sent()[1], first[1])
        page.reload()
        ready(page)
        self.assertEqual(page.locator("#text").input_value(), f"# {TITLE}\n\n別の本文。")
        page.unroute("**/posts/import")
        page.locator("#send").click()
        page.wait_for_url("**/posts/*")
        self.assertEqual([post["title"] for post in self.hanako.posts_of(self.thread)].count(TITLE), 1)
