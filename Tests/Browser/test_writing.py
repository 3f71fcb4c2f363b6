"""Writing: that one post comes of it, whatever the hand, the line and the text do."""
import io, re, time

from person import PICTURES
from stage import PageTest, Stage, ready

TITLE = "川沿いの店、夕方の光がきれいな席"
FAMILY = "👨‍👩‍👧‍👦"


class Writing(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        cls.yamada = Person(Stage.url, "山田")
        cls.thread = cls.yamada.opens("書きこむためのスレッド")

    def form(self, thread=None, **options):
        page = self.page(f"/threads/{thread or self.thread}/write", **options)
        ready(page)
        return page

    def fill(self, page, title, body="西日が差しこむ四時ごろ。\n橋を渡ってすぐ。"):
        page.locator("#title").fill(title)
        page.locator("#body").fill(body)

    def titles(self, thread=None):
        return [post["title"] for post in self.yamada.posts_of(thread or self.thread)]

    def send(self, page): page.get_by_role("button", name="投稿する").click()

    def test_what_is_previewed_is_what_will_stand_there(self):
        thread = self.yamada.opens("プレビューのスレッド")
        page = self.form(thread)
        self.assertTrue(page.locator("#send").is_disabled())
        self.fill(page, TITLE)
        page.locator("#picture").set_input_files(PICTURES / "e.jpg")
        page.locator("#preview .frame img").wait_for()
        plain = """node => node.outerHTML.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID').replace('/users/ID', '/users/').replace('author=ID', 'author=').replace(/ src="[^"]*"/g, '').replace(/ datetime="[^"]*"/g, '')
            .replace(/\\d+\\/\\d+\\(.\\) \\d\\d:\\d\\d/g, 'DATE').replaceAll('名無しさん', 'NAME').replaceAll('>名<', '>N<')
            .replaceAll('みどり', 'NAME').replaceAll('>み<', '>N<')"""
        preview = page.locator("#preview article").evaluate(plain)
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        ready(page)
        card = page.locator("ol.list article")
        self.assertEqual(card.evaluate(plain), preview)
        card.locator("img").evaluate("image => image.decode()")
        self.shoot(page, "first-post")
        post = self.yamada.posts_of(thread)[0]
        self.assertEqual((post["title"], post["body"], post["author"]["displayName"]), (TITLE, "西日が差しこむ四時ごろ。\n橋を渡ってすぐ。", "みどり"))
        self.assertEqual(page.locator(".thread-head [data-f=postCount]").inner_text(), "1")

    def test_characters_are_counted_as_the_board_counts_them(self):
        thread = self.yamada.opens("かぞえるスレッド")
        page = self.form(thread)
        self.fill(page, FAMILY * 40)
        self.assertEqual(page.locator("[data-count=title]").inner_text(), "40")
        self.assertTrue(page.locator("#send").is_enabled())
        self.fill(page, FAMILY * 41)
        self.assertTrue(page.locator("#send").is_disabled())
        self.assertIn("1文字多すぎます", page.locator("#title-says").inner_text())
        for typed in ("  か\u3099き\u3099く\u3099" + "あ" * 12, "ﾊﾟﾋﾟﾌﾟ" * 5, "🇯🇵" * 20, "e\u0301" * 15, "각" * 15):
            title = typed + "" if len(typed) else typed
            self.fill(page, title)
            shown = int(page.locator("[data-count=title]").inner_text())
            with self.subTest(title=title):
                try:
                    self.yamada.posts(thread, title)
                    self.assertTrue(15 <= shown <= 40)
                except __import__("urllib.error").error.HTTPError as refusal:
                    self.assertIn(f"has {shown} characters", refusal.read().decode())
        self.fill(page, "みじかい")
        self.assertEqual(page.locator("#title-says").inner_text(), "あと11文字。15文字以上で書いてください。")
        self.assertEqual(page.locator("#title").get_attribute("aria-invalid"), "true")

    def test_two_presses_make_one_post(self):
        for pause in (0.01, 0.83):
            thread = self.yamada.opens("二度押し")
            page = self.form(thread)
            self.fill(page, TITLE)
            self.send(page)
            self.named(page)
            page.wait_for_url(f"**/threads/{thread}")
            page.goto(f"/threads/{thread}/write")
            ready(page)
            self.fill(page, "もう一度書きます、もう一度書きます")
            # The answer is held until the second press is done: it must not start another request.
            held = []
            page.route(f"**/v1/threads/{thread}/posts", lambda route: held.append(route))
            page.evaluate("pause => { const button = document.querySelector('#send'); button.click(); setTimeout(() => { button.click(); button.form.requestSubmit(); window.pressed = true; }, pause); }", pause * 1000)
            self.eventually(page, "window.pressed === true")
            self.until(page, lambda: held)
            # Another would have been on its way before this.
            page.evaluate("fetch('/livez').then(answer => answer.status)")
            self.assertEqual(len(held), 1)
            held[0].continue_()
            page.wait_for_url(f"**/threads/{thread}")
            self.assertEqual(sorted(self.titles(thread)), sorted([TITLE, "もう一度書きます、もう一度書きます"]))

    def test_the_enter_that_ends_a_conversion_sends_nothing(self):
        thread = self.yamada.opens("変換のスレッド")
        page = self.form(thread)
        self.fill(page, TITLE)
        page.locator("#title").focus()
        kept = page.evaluate("""() => ['keydown'].map(name => document.querySelector('#title').dispatchEvent(
            new KeyboardEvent(name, { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })))[0]""")
        self.assertFalse(kept)
        self.assertEqual(page.get_by_role("dialog").count(), 0)
        page.keyboard.press("Enter")
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        self.assertEqual(self.titles(thread), [TITLE])

    def test_the_same_title_again_is_refused_in_place(self):
        self.expected = ["409"]
        page = self.form()
        self.fill(page, TITLE)
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{self.thread}")
        page.goto(f"/threads/{self.thread}/write")
        ready(page)
        self.fill(page, TITLE, "別の本文")
        self.send(page)
        said = page.locator("#title-says").get_by_text("以前と同じ投稿です。")
        said.wait_for()
        box = said.bounding_box()
        self.assertTrue(57 <= box["y"] and box["y"] + box["height"] <= 844 - 60, f"out of sight at {box}")
        self.assertEqual(page.evaluate("document.activeElement.id"), "title")
        self.assertEqual(page.locator("#form-says").inner_text(), "以前と同じ投稿です。")
        self.assertEqual(page.locator("#body").input_value(), "別の本文")
        self.shoot(page, "duplicate")

    def test_a_large_picture_is_made_smaller(self):
        thread = self.yamada.opens("大きな写真")
        page = self.form(thread)
        self.fill(page, TITLE)
        # Noise does not compress: a canvas of it is a PNG of several megabytes.
        page.evaluate("""async () => {
            const canvas = new OffscreenCanvas(1600, 1200), context = canvas.getContext('2d'), image = context.createImageData(1600, 1200);
            for (let at = 0; at < image.data.length; at += 65536) crypto.getRandomValues(image.data.subarray(at, Math.min(at + 65536, image.data.length)));
            context.putImageData(image, 0, 0);
            const blob = await canvas.convertToBlob({ type: 'image/png' }), all = new DataTransfer();
            window.size = blob.size;
            all.items.add(new File([blob], 'large.png', { type: 'image/png' }));
            document.querySelector('#drop').dispatchEvent(new DragEvent('drop', { dataTransfer: all, bubbles: true, cancelable: true }));
        }""")
        self.assertGreater(page.evaluate("window.size"), 1_000_000)
        page.locator("#preview .frame img").wait_for()
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        image = self.yamada.posts_of(thread)[0]["image"]
        self.assertLessEqual(image["byteCount"], 1_000_000)
        self.assertAlmostEqual(image["width"] / image["height"], 4 / 3, delta=0.01)

    def test_what_cannot_be_made_smaller_says_so(self):
        page = self.form()
        page.locator("#picture").set_input_files({"name": "a.heic", "mimeType": "image/heic", "buffer": b"x" * 1_000_001})
        self.eventually(page, "document.querySelector('#imageId-says').textContent === '画像のサイズが大きすぎます。'")
        page.locator("#picture").set_input_files({"name": "a.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"})
        self.eventually(page, "document.querySelector('#imageId-says').textContent === '対応していない画像形式です。'")

    def test_a_picture_can_be_pasted_and_taken_away(self):
        page = self.form()
        page.evaluate("""bytes => { const all = new DataTransfer();
            all.items.add(new File([new Uint8Array(bytes)], 'pasted.jpg', { type: 'image/jpeg' }));
            document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: all })); }""", list((PICTURES / "a.jpg").read_bytes()))
        page.locator("#preview .frame img").wait_for()
        page.get_by_role("button", name="写真を外す").click()
        self.assertEqual(page.locator("#preview .frame img").count(), 0)
        self.assertTrue(page.locator("#preview .frame.none svg").is_visible())

    def test_a_copy_of_text_that_brings_a_picture_of_itself_stays_text(self):
        page = self.form()
        self.assertTrue(page.evaluate("""bytes => { const all = new DataTransfer();
            all.items.add(new File([new Uint8Array(bytes)], 'cells.jpg', { type: 'image/jpeg' }));
            all.setData('text/plain', '表の文字');
            return document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: all, cancelable: true })); }""", list((PICTURES / "a.jpg").read_bytes())))
        self.assertTrue(page.locator("#picked").is_hidden())

    def test_a_name_that_was_given_is_not_asked_for_again(self):
        self.expected = ["503"]
        thread = self.yamada.opens("名前は一度だけ")
        page = self.form(thread)
        self.fill(page, TITLE)
        page.route("**/page/session", lambda route: route.fulfill(status=503, content_type="application/problem+json", body='{"title":"x","status":503}'))
        self.send(page)
        self.named(page)
        page.get_by_text("送れませんでした。").wait_for()
        page.unroute("**/page/session")
        page.wait_for_url(f"**/threads/{thread}")
        self.assertEqual(self.yamada.posts_of(thread)[0]["author"]["displayName"], "みどり")

    def test_what_is_typed_while_it_is_sent_is_kept(self):
        thread = self.yamada.opens("送っている間も書く")
        page = self.form(thread)
        self.fill(page, TITLE)
        held = []
        page.route(f"**/v1/threads/{thread}/posts", lambda route: held.append(route))
        self.send(page)
        self.named(page)
        self.until(page, lambda: held)
        page.locator("#body").fill("送ったあとに書き足した本文")
        held[0].continue_()
        page.wait_for_url(f"**/threads/{thread}")
        page.goto(f"/threads/{thread}/write")
        ready(page)
        self.assertEqual(page.locator("#body").input_value(), "送ったあとに書き足した本文")

    def test_a_full_store_stops_nothing(self):
        thread = self.yamada.opens("いっぱいの保存場所")
        page = self.visitor().new_page()
        page.add_init_script("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); }")
        page.goto(f"/threads/{thread}/write")
        ready(page)
        self.fill(page, TITLE)
        page.get_by_text("この端末に下書きを保存できません。").wait_for()
        self.assertEqual(page.locator("#preview h2").inner_text(), TITLE)
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        self.assertEqual(self.titles(thread), [TITLE])

    def test_a_draft_outlives_a_reload_with_its_picture(self):
        page = self.form()
        self.fill(page, TITLE, "消えては困る本文")
        page.locator("#picture").set_input_files(PICTURES / "a.jpg")
        page.locator("#preview .frame img").wait_for()
        self.eventually(page, "new Promise(resolve => { const request = indexedDB.open('keijiban', 1); request.onsuccess = () => { "
                        "const count = request.result.transaction('pictures').objectStore('pictures').count(); "
                        "count.onsuccess = () => { request.result.close(); resolve(count.result === 1); }; }; })")
        page.reload()
        ready(page)
        self.assertEqual(page.locator("#title").input_value(), TITLE)
        self.assertEqual(page.locator("#body").input_value(), "消えては困る本文")
        page.locator("#preview .frame img").wait_for()
        with page.expect_navigation(): page.get_by_role("button", name="下書きを捨てる").click()
        ready(page)
        self.assertEqual((page.locator("#title").input_value(), page.locator("#body").input_value()), ("", ""))
        self.assertEqual(page.locator("#preview .frame img").count(), 0)
        self.assertTrue(page.locator("#preview .frame.none svg").is_visible())

    def test_what_one_tab_sends_leaves_what_another_writes(self):
        context = self.member()
        one, other = context.new_page(), context.new_page()
        for page in (one, other):
            page.goto(f"/threads/{self.thread}/write")
            ready(page)
        self.fill(other, "もう一方のタブで書きかけの、別の投稿です")
        other.get_by_text("下書きを保存しました").wait_for()
        self.fill(one, "はじめのタブから送る、十五文字以上の題名")
        self.send(one)
        one.wait_for_url(f"**/threads/{self.thread}")
        self.eventually(other, "Object.values(localStorage).some(text => text.includes('もう一方のタブで書きかけ'))")
        other.reload()
        ready(other)
        self.assertEqual(other.locator("#title").input_value(), "もう一方のタブで書きかけの、別の投稿です")

    def test_what_is_sent_without_a_connection_goes_out_when_it_is_back_and_once(self):
        self.expected = ["ERR_INTERNET_DISCONNECTED", "ERR_FAILED"]
        thread = self.yamada.opens("圏外のスレッド")
        page = self.form(thread)
        self.fill(page, TITLE)
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        page.goto(f"/threads/{thread}/write")
        ready(page)
        self.fill(page, "電波のないところで書いた投稿です")
        # The request arrives, its answer does not: the second try must not make a second post.
        lost = []
        page.route(f"**/v1/threads/{thread}/posts", lambda route: (lost.append(route.fetch()), route.abort()) if not lost else route.continue_())
        self.send(page)
        page.get_by_text("送れませんでした。書いたものは残っています。").wait_for()
        page.context.set_offline(True)
        page.locator("#status").get_by_text("書いたものは失われません").wait_for()
        page.locator("#body").focus()
        typed, said = page.locator("#body").bounding_box(), page.locator("#status").bounding_box()
        self.assertTrue(said["y"] + said["height"] <= typed["y"] or said["y"] >= typed["y"] + typed["height"], "what is said covers what is typed")
        self.shoot(page, "offline")
        self.assertEqual(page.locator("#title").input_value(), "電波のないところで書いた投稿です")
        page.context.set_offline(False)
        page.wait_for_url(f"**/threads/{thread}")
        self.assertEqual(sorted(self.titles(thread)), sorted([TITLE, "電波のないところで書いた投稿です"]))

    def test_a_thread_is_opened_and_deleted(self):
        page = self.page("/threads/new")
        ready(page)
        page.locator("#title").fill("はじめてのスレッド")
        page.locator("#description").fill("説明です。")
        page.locator("#picture").set_input_files(PICTURES / "c.jpg")
        page.locator("#preview .thumb img").wait_for()
        page.get_by_role("button", name="スレッドを立てる").click()
        self.named(page)
        page.wait_for_url(re.compile(r"/threads/[0-9a-f-]{36}$"))
        thread = page.url.split("/")[-1]
        self.assertEqual(self.yamada.call("GET", f"/v1/threads/{thread}")["image"]["contentType"], "image/jpeg")
        page.goto("/")
        self.assertTrue(page.locator(f"[data-id='{thread}']").is_visible())
        page.goto(f"/threads/{thread}")
        ready(page)
        page.locator(".thread-head summary").click()
        page.get_by_role("button", name="スレッドを削除").click()
        page.get_by_role("dialog").get_by_role("button", name="やめる").click()
        self.eventually(page, "document.activeElement === document.querySelector('.thread-head summary')")
        page.locator(".thread-head summary").click()
        page.get_by_role("button", name="スレッドを削除").click()
        page.get_by_role("dialog").get_by_role("button", name="削除").click()
        page.wait_for_url(Stage.url + "/")
        self.assertEqual(page.locator(f"[data-id='{thread}']").count(), 0)

    def test_a_post_is_deleted_and_refused_to_who_does_not_own_it(self):
        self.expected = ["403"]
        thread = self.yamada.opens("消すためのスレッド")
        page = self.form(thread)
        self.fill(page, TITLE)
        self.send(page)
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        other = self.yamada.posts(thread, "これは山田さんの書いた投稿なので")
        # Once it is live, the page reads again whose each post is.
        with page.expect_response("**/v1/counts*"): page.reload()
        ready(page)
        theirs = page.locator(f"[data-id='{other}']")
        self.assertTrue(theirs.locator("[data-act=delete-post]").get_attribute("hidden") is not None)
        theirs.locator("[data-act=delete-post]").evaluate("button => { button.hidden = false; }")
        theirs.locator("summary").click()
        theirs.get_by_role("button", name="削除").click()
        page.get_by_role("dialog").get_by_role("button", name="削除").click()
        page.get_by_text("削除に失敗しました。権限がないようです。").wait_for()
        mine = page.locator("article", has_text=TITLE)
        mine.locator("summary").click()
        mine.get_by_role("button", name="削除").click()
        page.get_by_role("dialog").get_by_role("button", name="削除").click()
        mine.wait_for(state="detached")
        self.assertEqual(self.titles(thread), ["これは山田さんの書いた投稿なので"])
