"""The board at an address of its own, over TLS: cookies, who one is, and links. A board at --url must trust proxies on this machine."""
import tempfile

from stage import PageTest, Stage, ready
from tls import TLSProxy


class OverTLS(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.proxy = TLSProxy(Stage.url, folder)
        cls.addClassCleanup(cls.proxy.close)
        cls.hanako = Person(Stage.url, "はなこ")
        cls.thread = cls.hanako.opens("鍵のかかった道を通る話")
        cls.post = cls.hanako.posts(cls.thread, "駅裏の階段を上がった二階の店、窓ぎわの席")

    def visitor(self, **options):
        return super().visitor(base_url=self.proxy.url, ignore_https_errors=True, **options)

    def liked(self):
        page = self.page(f"/posts/{self.post}")
        ready(page)
        with page.expect_response("**/like") as answer:
            page.locator(".like").click()
            self.named(page)
        self.assertEqual(answer.value.status, 200)
        self.eventually(page, "document.querySelector('.like').getAttribute('aria-pressed') === 'true' && document.cookie")
        return page, answer.value.headers["keijiban-position"]

    def test_cookies_are_of_this_host_alone(self):
        page, reached = self.liked()
        cookies = {cookie["name"]: cookie for cookie in page.context.cookies([self.proxy.url, f"{self.proxy.url}/page/session"])}
        self.assertEqual(set(cookies), {"__Host-keijiban-session", "__Secure-keijiban-device", "__Host-keijiban-position"})
        self.assertTrue(all(cookie["secure"] for cookie in cookies.values()))
        self.assertEqual(cookies["__Host-keijiban-position"]["value"], reached)
        self.assertEqual(cookies["__Host-keijiban-position"]["sameSite"], "Lax")
        with page.expect_request("**/like") as request: page.locator(".like").click()
        self.assertEqual(request.value.headers["keijiban-position"], reached)

    def test_links_name_the_address_of_the_page(self):
        page = self.page(f"/posts/{self.post}")
        address = f"{self.proxy.url}/posts/{self.post}"
        self.assertEqual(page.locator("link[rel=canonical]").get_attribute("href"), address)
        self.assertEqual(page.locator("meta[property='og:url']").get_attribute("content"), address)

    def test_a_link_from_elsewhere_brings_ones_last_write_along(self):
        page, reached = self.liked()
        page.context.route("https://elsewhere.example/", lambda route: route.fulfill(
            content_type="text/html", body=f"<!doctype html><a href='{self.proxy.url}/posts/{self.post}'>a post</a>"))
        page.goto("https://elsewhere.example/")
        with page.expect_request(f"**/posts/{self.post}") as request: page.get_by_role("link").click()
        self.assertIn(f"__Host-keijiban-position={reached}", request.value.all_headers()["cookie"])
        ready(page)
        self.assertEqual(page.locator(".like").get_attribute("aria-pressed"), "true")
