"""Likes, and who one is while one likes."""
import json, urllib.error, urllib.request

from stage import PageTest, Stage, ready


class Liking(PageTest):
    def setUp(self):
        super().setUp()
        self.hanako = self.somebody()
        self.thread = self.hanako.opens("いいねのスレッド")
        self.post = self.hanako.posts(self.thread, "いいねを押してもらうための投稿です")

    def heart(self, page): return page.locator(f"[data-id='{self.post}']").get_by_role("button", name="いいね")

    def settled(self, page, pressed, count):
        """Waits until the heart shows it, and the board too."""
        self.eventually(page, """([id, pressed, count]) => { const post = document.querySelector(`[data-id='${id}']`);
            return document.body.dataset.user && post.querySelector('.like').getAttribute('aria-pressed') === pressed && post.querySelector('[data-f=likeCount]').textContent === count; }""",
            [self.post, pressed, count])
        self.eventually(page, "id => fetch(`/v1/posts/${id}`).then(answer => answer.json()).then(post => String(post.likeCount)).then(count => count === '%s')" % count, self.post)

    def test_a_like_counts_once_in_every_tab(self):
        page = self.page(f"/threads/{self.thread}")
        ready(page)
        self.heart(page).click()
        self.named(page)
        self.settled(page, "true", "1")
        other = page.context.new_page()
        other.goto(f"/posts/{self.post}")
        ready(other)
        self.settled(other, "true", "1")
        page.reload()
        ready(page)
        self.settled(page, "true", "1")
        with page.expect_response("**/like"): self.heart(page).click()
        self.settled(page, "false", "0")
        # The other tab does not know of it yet, or has just heard: the board's own figure stands in the end.
        with other.expect_response("**/like") as answer: self.heart(other).click()
        liked = answer.value.json()["liked"]
        self.eventually(other, "([id, liked]) => document.querySelector(`[data-id='${id}'] .like`).getAttribute('aria-pressed') === liked",
                        [self.post, str(liked).lower()])
        with page.expect_response("**/like"): self.heart(page).click()
        self.settled(page, "true", "1")
        self.assertEqual(self.hanako.post(self.post)["likeCount"], 1)

    def test_what_was_read_before_a_like_does_not_undo_it(self):
        page = self.visitor().new_page()
        read = []
        page.route(f"**/v1/threads/{self.thread}/posts?*", lambda route: (read.append((route, route.fetch())), len(read) > 1 and route.continue_()))
        page.goto(f"/threads/{self.thread}")
        ready(page)
        self.until(page, lambda: read)
        self.heart(page).click()
        self.named(page)
        self.settled(page, "true", "1")
        route, answer = read[0]
        with page.expect_request(f"**/v1/threads/{self.thread}/posts?*"): route.fulfill(response=answer)
        self.settled(page, "true", "1")
        self.assertEqual(self.hanako.post(self.post)["likeCount"], 1)

    def test_what_is_read_while_a_like_is_under_way_does_not_take_it_back(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        page.locator("body[data-live=yes]").wait_for(state="attached")
        held, asked = [], []
        page.on("request", lambda request: request.url.endswith("/like") and asked.append(request.method))
        page.route("**/like", lambda route: held.append(route))
        self.heart(page).click()
        self.named(page)
        self.until(page, lambda: held)
        with page.expect_response(f"**/v1/posts/{self.post}"): page.evaluate("dispatchEvent(new Event('online'))")
        # What has been read is put in now.
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.assertEqual(self.heart(page).get_attribute("aria-pressed"), "true")
        self.assertEqual(self.heart(page).locator("[data-f=likeCount]").inner_text(), "1")
        held[0].continue_()
        self.settled(page, "true", "1")
        self.assertEqual(asked, ["PUT"])

    def test_the_heart_is_called_with_its_count(self):
        self.hanako.likes(self.post)
        page = self.page(f"/posts/{self.post}")
        page.get_by_role("button", name="いいね 1", exact=True).wait_for()

    def test_nobody_is_signed_up_before_the_first_act(self):
        page = self.page("/")
        ready(page)
        page.goto(f"/threads/{self.thread}")
        ready(page)
        self.assertEqual([cookie["name"] for cookie in page.context.cookies()], [])
        self.heart(page).click()
        page.get_by_role("dialog").get_by_role("button", name="やめる").click()
        self.assertEqual(self.heart(page).get_attribute("aria-pressed"), "false")
        self.heart(page).click()
        page.get_by_role("dialog").get_by_role("button", name="続ける").click()
        self.settled(page, "true", "1")
        self.assertEqual(page.evaluate("document.body.dataset.name"), "名無しさん")

    def test_no_script_reads_the_token_and_no_stranger_uses_it(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        self.heart(page).click()
        self.named(page)
        self.settled(page, "true", "1")
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies([Stage.url, Stage.url + "/page/session"])}
        self.assertTrue(cookies["keijiban-session"]["httpOnly"] and cookies["keijiban-device"]["httpOnly"])
        seen = page.evaluate("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")
        self.assertNotIn(cookies["keijiban-session"]["value"], seen)
        self.assertNotIn(cookies["keijiban-device"]["value"], seen)
        cookie = "; ".join(f"{name}={cookies[name]['value']}" for name in ("keijiban-session", "keijiban-device"))

        def status(headers, method="DELETE", path=f"/v1/posts/{self.post}/like"):
            request = urllib.request.Request(Stage.url + path, headers={"Cookie": cookie, **headers}, method=method)
            try:
                with urllib.request.urlopen(request) as answer: return answer.status
            except urllib.error.HTTPError as refusal:
                refusal.close()
                return refusal.code

        own = {"Keijiban-Page": "1", "Sec-Fetch-Site": "same-origin"}
        self.assertEqual(status({}), 401)
        self.assertEqual(status({**own, "Sec-Fetch-Site": "cross-site"}), 401)
        self.assertEqual(status({**own, "Sec-Fetch-Site": "same-site"}), 401)
        self.assertEqual(status({"Keijiban-Page": "1", "Origin": "https://elsewhere.example"}), 401)
        self.assertEqual(status({**own, "Authorization": "Bearer nonsense"}), 401)
        self.assertEqual(status({"Content-Type": "application/json"}, "POST", "/page/session"), 403)
        self.assertEqual(status({"Sec-Fetch-Site": "cross-site", "Keijiban-Page": "1"}, "DELETE", "/page/session"), 403)
        self.assertEqual(self.hanako.post(self.post)["likeCount"], 1)
        self.assertEqual(status(own), 200)

    def test_requests_after_a_write_say_how_far_it_went(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        with page.expect_response("**/like") as answer:
            self.heart(page).click()
            self.named(page)
        reached = answer.value.headers["keijiban-position"]
        self.settled(page, "true", "1")
        with page.expect_request("**/like") as request: self.heart(page).click()
        self.assertEqual(request.value.headers["keijiban-position"], reached)
        with page.expect_request(f"**/threads/{self.thread}") as request: page.goto(f"/threads/{self.thread}")
        self.assertIn("keijiban-position=", request.value.all_headers()["cookie"])

    def test_who_comes_from_elsewhere_is_still_who_they_are(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        self.heart(page).click()
        self.named(page)
        self.settled(page, "true", "1")
        with urllib.request.urlopen(urllib.request.Request(Stage.url + f"/v1/posts/{self.post}")) as answer:
            self.assertFalse(json.load(answer)["likedByMe"])
        page.goto("about:blank")
        page.goto(f"/posts/{self.post}")
        self.settled(page, "true", "1")

    def test_a_lost_token_is_replaced_by_the_same_account(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        self.heart(page).click()
        self.named(page)
        self.settled(page, "true", "1")
        user = page.evaluate("document.body.dataset.user")
        page.context.clear_cookies(name="keijiban-session")
        self.expected = ["401"]
        self.heart(page).click()
        self.settled(page, "false", "0")
        self.assertEqual(page.evaluate("document.body.dataset.user"), user)
