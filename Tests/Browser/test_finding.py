"""Daily reports by day, and search by words, day and author."""
from person import PICTURES
from stage import PageTest, Stage, ready


class Finding(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        cls.sato, cls.tanaka = Person(Stage.url, "佐藤"), Person(Stage.url, "田中")
        cls.thread = cls.sato.opens("開発チームの日報", "今日やったこと。", picture="c", kind="dailyReport")
        cls.sato.posts(cls.thread, None, "検索の画面を作りなおした。\n日付を選ぶと、その日だけが並ぶ。\n三行め。\n四行めは見えない。", picture="c", day="2026-11-27")
        cls.tanaka.posts(cls.thread, None, "環境の作りかたを説明。", day="2026-11-27")
        cls.tanaka.posts(cls.thread, None, "水曜日のこと。", day="2026-11-25")

    def daily(self, more="", thread=None):
        page = self.page(f"/daily?thread={thread or self.thread}{more}")
        ready(page)
        return page

    def test_a_days_reports_are_picked_from_the_week(self):
        page = self.daily("&date=2026-11-25")
        self.assertEqual(page.locator("ol.list > li").count(), 1)
        days = page.get_by_role("navigation", name="日を選ぶ").get_by_role("link")
        self.assertEqual(days.count(), 7)
        self.assertEqual([days.nth(index).locator(".number").inner_text() for index in range(7)], ["22", "23", "24", "25", "26", "27", "28"])
        self.assertEqual(page.locator(".week .has").count(), 2)
        days.nth(5).click()
        page.wait_for_url("**date=2026-11-27*")
        rows = page.locator("ol.list > li")
        self.assertEqual(rows.count(), 2)
        self.assertEqual(rows.locator("h2").all_inner_texts(), ["11月27日の日報", "11月27日の日報"])
        self.assertEqual(rows.locator(".thumb img").count(), 1)
        self.assertEqual(rows.filter(has_text="検索の画面").locator(".text").inner_text().count("\n"), 2)
        ready(page)
        self.shoot(page, "daily-day")
        rows.filter(has_text="検索の画面").locator("a").click()
        page.wait_for_url("**/posts/*")
        self.assertEqual(page.get_by_role("heading", level=1).inner_text(), "11月27日の日報")
        page.go_back()
        page.get_by_role("link", name="検索を解除").click()
        page.wait_for_url(lambda address: "date" not in address)
        self.assertEqual(page.locator("ol.list > li").count(), 3)

    def test_turning_to_another_week_chooses_no_day(self):
        page = self.daily()
        page.get_by_role("link", name="前の週").click()
        page.wait_for_url("**week=*")
        self.assertEqual(page.locator(".week [aria-current]").count(), 0)
        self.assertEqual(page.locator("ol.list > li").count(), 3)
        page = self.daily("&date=2026-11-25")
        page.get_by_role("link", name="前の週").click()
        page.wait_for_url("**week=*")
        self.assertEqual(page.locator(".week .number").first.inner_text(), "15")
        self.assertEqual(page.locator("ol.list > li").count(), 1)

    def test_a_thread_that_has_no_reports_is_not_shown_as_another(self):
        self.expected = ["404"]
        thread = self.sato.opens("日報ではないスレッド")
        page = self.visitor().new_page()
        self.assertEqual(page.goto(f"/daily?thread={thread}").status, 404)

    def test_a_report_without_a_day_is_previewed_without_one(self):
        page = self.page(f"/threads/{self.thread}/write")
        ready(page)
        page.locator("#body").fill("本文")
        page.locator("#date").fill("")
        self.assertEqual(page.locator("#preview [data-f=title]").inner_text(), "")
        self.assertTrue(page.locator("#send").is_disabled())

    def test_a_day_is_picked_by_its_date(self):
        page = self.daily()
        page.locator("input[type=date]").fill("2026-11-25")
        page.wait_for_url("**date=2026-11-25*")
        self.assertEqual(page.locator("ol.list > li").count(), 1)

    def test_a_day_without_reports_invites_to_write_one(self):
        thread = self.sato.opens("書くための日報", kind="dailyReport")
        page = self.daily("&date=2026-11-26", thread)
        self.assertTrue(page.get_by_text("この日の日報はありません").is_visible())
        page.get_by_role("link", name="日報を書く").click()
        ready(page)
        self.assertEqual(page.locator("#date").input_value(), "2026-11-26")
        page.locator("#body").fill("木曜日のことを書く。")
        page.locator("#picture").set_input_files(PICTURES / "a.jpg")
        page.locator("#preview .frame img").wait_for()
        self.assertEqual(page.locator("#preview [data-f=title]").inner_text(), "11月26日の日報")
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        page.goto(f"/daily?thread={thread}&date=2026-11-26")
        self.assertEqual(page.locator("ol.list h2").all_inner_texts(), ["11月26日の日報"])

    def test_words_are_found_in_any_width_and_kana(self):
        self.tanaka.posts(self.sato.opens("さがすスレッド"), "ガラス細工の体験に行ってきました")
        page = self.page("/search")
        ready(page)
        self.assertTrue(page.get_by_text("ことばか日付で探せます").is_visible())
        page.locator("#q").fill("ｶﾞﾗｽ細工")
        page.locator("#q").press("Enter")
        page.wait_for_url("**/search?q=*")
        self.assertIn("ガラス細工の体験に行ってきました", page.locator("ol.list h2").all_inner_texts())
        ready(page)
        self.shoot(page, "search-found")
        page.get_by_role("link", name="検索を解除").click()
        page.wait_for_url(Stage.url + "/search")
        page.locator("#q").fill("どこにもないことば")
        page.locator("#day").fill("2026-11-27")
        page.get_by_role("main").get_by_role("button", name="検索").click()
        page.wait_for_url("**date=2026-11-27*")
        self.assertTrue(page.get_by_text("見つかりませんでした").is_visible())

    def test_an_authors_posts_stand_together(self):
        page = self.page(f"/threads/{self.thread}")
        page.locator("article [data-f=author]", has_text="田中").first.click()
        page.wait_for_url("**/users/*")
        self.assertTrue(page.get_by_role("heading", name="田中").is_visible())
        self.assertEqual(set(page.locator("ol.list [data-f=author]").all_inner_texts()), {"田中"})

    def test_ones_own_posts_are_searched_alone(self):
        thread = self.sato.opens("自分の日報", kind="dailyReport")
        page = self.page(f"/threads/{thread}/write?date=2026-11-24")
        ready(page)
        page.locator("#body").fill("検索の画面を使ってみた。")
        page.get_by_role("button", name="投稿する").click()
        self.named(page)
        page.wait_for_url(f"**/threads/{thread}")
        page.goto("/search?q=検索の画面")
        ready(page)
        page.get_by_label("自分の投稿だけ").check()
        page.get_by_role("main").get_by_role("button", name="検索").click()
        page.wait_for_url("**author=me*")
        self.assertEqual(page.locator("ol.list [data-f=author]").all_inner_texts(), ["みどり"])

    def narrowed(self, page):
        return page.locator(".narrowed .chip > span:not(.hidden)").all_inner_texts()

    def test_posts_of_any_author_are_searched_and_the_search_says_so(self):
        thread = self.sato.opens("だれのものかで探すスレッド")
        other = self.sato.opens("もうひとつのスレッド")
        for person, place in ((self.sato, thread), (self.tanaka, thread), (self.tanaka, other)):
            person.posts(place, f"水ようかんの話、{person.name}が書いた十五文字")
        for options in ({}, {"java_script_enabled": False}):
            with self.subTest(options):
                page = self.page(f"/threads/{thread}", **options)
                page.locator("article", has_text="田中").locator("summary").click()
                page.get_by_role("link", name="この人の投稿を検索").click()
                page.wait_for_url("**/search?author=*")
                self.assertEqual(self.narrowed(page), ["田中の投稿だけ"])
                self.assertEqual(page.get_by_label("自分の投稿だけ").count(), 0)
                page.locator("#q").fill("水ようかん")
                page.get_by_role("main").get_by_role("button", name="検索").click()
                page.wait_for_url("**q=*")
                self.assertEqual(self.narrowed(page), ["田中の投稿だけ"])
                self.assertEqual(page.locator("ol.list [data-f=author]").all_inner_texts(), ["田中", "田中"])
                page.get_by_role("link", name="田中の投稿だけ").click()
                page.wait_for_url(lambda address: "author" not in address)
                self.assertEqual(sorted(page.locator("ol.list [data-f=author]").all_inner_texts()), sorted(["佐藤", "田中", "田中"]))
                self.assertEqual(self.narrowed(page), [])

    def test_an_authors_page_leads_to_a_search_of_their_posts(self):
        page = self.page(f"/users/{self.tanaka.post(self.tanaka.posts_of(self.thread)[0]['id'])['author']['id']}")
        ready(page)
        name = page.get_by_role("heading", level=1).inner_text()
        page.get_by_role("link", name="この人の投稿を検索").click()
        page.wait_for_url("**/search?author=*")
        self.assertEqual(self.narrowed(page), [f"{name}の投稿だけ"])

    def test_a_thread_is_searched_alone_and_the_search_says_so(self):
        thread = self.sato.opens("中を探すスレッド")
        self.tanaka.posts(thread, "寒天ゼリーの話、この中にだけあるもの")
        self.tanaka.posts(self.sato.opens("外のスレッド"), "寒天ゼリーの話、外のスレッドにあるもの")
        page = self.page(f"/threads/{thread}")
        ready(page)
        page.locator(".thread-head summary").click()
        page.get_by_role("link", name="このスレッドの中を検索").click()
        page.wait_for_url("**/search?thread=*")
        page.locator("#q").fill("寒天ゼリー")
        page.locator("#q").press("Enter")
        page.wait_for_url("**q=*")
        self.assertEqual(self.narrowed(page), ["「中を探すスレッド」の中だけ"])
        self.assertEqual(page.locator("ol.list h2").all_inner_texts(), ["寒天ゼリーの話、この中にだけあるもの"])
        page.get_by_role("link", name="「中を探すスレッド」の中だけ").click()
        page.wait_for_url(lambda address: "thread" not in address)
        self.assertEqual(page.locator("ol.list > li").count(), 2)

    def test_a_search_that_is_narrowed_to_nothing_offers_all_posts(self):
        author = self.tanaka.post(self.tanaka.posts_of(self.thread)[0]["id"])["author"]["id"]
        self.sato.posts(self.sato.opens("ほかの人のスレッド"), "葛まんじゅうの話、佐藤さんだけが書いた")
        gone = "01a22bf7-6f25-70f7-9371-000000000000"
        page = self.page(f"/search?q=葛まんじゅうの話、佐藤さん&author={author}&thread={self.thread}")
        self.assertTrue(page.get_by_text("見つかりませんでした").is_visible())
        page.get_by_role("link", name="すべての投稿から探す").click()
        page.wait_for_url(lambda address: "author" not in address and "thread" not in address)
        self.assertEqual(page.locator("ol.list > li").count(), 1)
        page = self.page(f"/search?author={gone}&thread={self.thread}")
        self.assertEqual(self.narrowed(page), ["この人の投稿だけ", "「開発チームの日報」の中だけ"])

    def test_a_stranger_is_told_that_nothing_is_theirs_yet(self):
        page = self.page("/search?author=me")
        self.assertTrue(page.get_by_text("まだアカウントはありません").is_visible())
        self.assertTrue(page.get_by_label("自分の投稿だけ").is_checked())
