"""How it looks and how it is used by whom: sizes, schemes, languages, keys alone, names, contrast and boxes; and pictures of every screen."""
import pathlib

from person import Person
from playwright.sync_api import expect
from stage import PageTest, Stage, ready

RULES = pathlib.Path(__file__).with_name("rules.js").read_text()
SIZES = [(320, 640), (390, 844), (768, 900), (1280, 900)]
SCHEMES = ["light", "dark"]

# Parts whose texts are of those who write, in their language.
STRANGERS = "[data-f=title], [data-f=description], [data-f=body], [data-f=author], [data-f=threadTitle], [data-f=face], .thread-head h1, .lead, .face, .crumb a, .seal, .chip > span, .meta > a, option"

# What of the page's own words is in Japanese, seen or only heard.
JAPANESE = """strangers => {
    const own = [], walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (!walker.currentNode.parentElement.closest(strangers)) own.push(walker.currentNode.data);
    for (const template of document.querySelectorAll('template')) own.push(template.content.textContent);
    for (const node of document.body.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
        for (const attribute of ['aria-label', 'title', 'placeholder', 'alt']) own.push(node.getAttribute(attribute) ?? '');
    return own.filter(text => /[ぁ-んァ-ヶ一-龥]/.test(text)).map(text => text.trim());
}"""


def size(page, wide, high=844):
    page.set_viewport_size({"width": wide, "height": high})


class Looks(PageTest):
    @classmethod
    def setUpClass(cls):
        people = {name: Person(Stage.url, name) for name in ("山田", "はなこ", "佐藤", "田中", "kobo")}
        cls.yamada, cls.hanako, cls.kobo = people["山田"], people["はなこ"], people["kobo"]
        cls.kobo.opens("古い本の修理、糊と和紙の選びかた", "背が割れた文庫本を直したい。身近な材料でできる方法を集めます。", picture="c")
        cls.empty = people["田中"].opens("はじめての SwiftUI、つまずいたところ", "同じところで止まる人がきっといるので、解けた話も、まだ解けない話も歓迎です。")
        cls.other = people["田中"].opens("だれでも書けるスレッド")
        cls.daily = people["佐藤"].opens("開発チームの日報", "今日やったこと、困っていること、明日やること。", picture="c", kind="dailyReport")
        people["佐藤"].posts(cls.daily, None, "検索の画面を作りなおした。日付を選ぶと、その日の 0 時から 24 時までの日報だけが並ぶ。", picture="c", day="2026-11-27")
        people["田中"].posts(cls.daily, None, "新人二人に環境の作りかたを説明。二人とも三十分で動いた。", day="2026-11-27")
        cls.hard = cls.kobo.opens("👨‍👩‍👧‍👦" * 60, "https://example.com/" + "a" * 300 + " Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft")
        cls.hard_post = cls.kobo.posts(cls.hard, "👨‍👩‍👧‍👦" * 40, "W" * 900 + "\n" + "https://example.com/" + "b" * 200)
        cls.thread = cls.yamada.opens("近所の小さな喫茶店を教えあうスレッド", "一人で長居できて、コーヒーがおいしいお店。場所と、その店で好きな席も添えてください。", picture="a")
        cls.kobo.posts(cls.thread, "https://example.com/" + "c" * 20, "\n".join(f"{number}行めの文。" for number in range(1, 20)))
        cls.bare = cls.yamada.posts(cls.thread, "商店街の端、朝七時から開いている小さな店", "カウンターだけ。トーストの厚さを選べます。")
        cls.post = cls.hanako.posts(cls.thread, "駅裏の階段を上がった二階の店、窓ぎわの席", "雨の日に行くと、線路をたたく雨の音がよく聞こえます。\nブレンドは深煎りで、ゆっくり冷めていくのがいい。\n\n本を二冊持っていって、二冊とも読みおえました。", picture="e")
        for person in people.values(): person.likes(cls.post)
        cls.author = cls.hanako.post(cls.post)["author"]["id"]

    @property
    def screens(self):
        """Each screen and each state of one: its path, and what is done there."""
        def refuse(page):
            page.locator("#title").fill("短い題")
            page.locator("#body").fill("本文")

        thread, post = f"/threads/{self.thread}", f"/posts/{self.post}"
        return {
            "threads": ("/", None), "thread": (thread, None), "thread-empty": (f"/threads/{self.empty}", None), "post": (post, None),
            "post-bare": (f"/posts/{self.bare}", None), "hard-thread": (f"/threads/{self.hard}", None), "hard-post": (f"/posts/{self.hard_post}", None),
            "write": (f"{thread}/write", None), "write-refused": (f"{thread}/write", refuse), "write-report": (f"/threads/{self.daily}/write", None),
            "open": ("/threads/new", None), "daily": (f"/daily?thread={self.daily}&date=2026-11-27", None),
            "daily-empty": (f"/daily?thread={self.daily}&date=2026-11-26", None), "search": ("/search?q=店", None), "search-start": ("/search", None),
            "search-narrowed": (f"/search?q=店&author={self.author}&thread={self.thread}", None),
            "search-none": (f"/search?q=どこにもないことば&author={self.author}", None), "user": (f"/users/{self.author}", None), "me": ("/me", None),
            "documents": ("/documents", None), "document": ("/documents", lambda page: page.locator("#new").click()),
            "lost": ("/nowhere", None), "away": ("/", self.away),
            "menu": (thread, lambda page: page.locator("article summary").last.click()),
            "head-menu": (thread, lambda page: page.locator(".thread-head summary").click()),
            "delete": (f"/posts/{self.own}", lambda page: (page.locator("article summary").click(), page.locator("[data-act=delete-post]").click(), page.get_by_role("dialog").wait_for())),
        }

    def away(self, page):
        """What stands in the place of a list that cannot be read: the gateway's markup, with the words of the page's own table."""
        page.evaluate("""async () => {
            const { words } = await import(`${document.body.dataset.page}words.js`), { icon } = await import(`${document.body.dataset.page}dom.js`);
            const make = (tag, attributes, ...children) => { const node = Object.assign(document.createElement(tag), attributes); node.append(...children); return node; };
            const box = make('div', { className: 'sheet empty' }, icon('cloud'), make('b', {}, words('away.title')), make('p', {}, words('away.text')),
                make('p', {}, make('a', { className: 'button', href: location.href }, words('again'))));
            document.querySelector('ol.list').replaceWith(box);
            document.querySelector('.more')?.remove(); }""")

    def signed_up(self, **options):
        """A page of somebody who has an account and a post of their own."""
        context = self.member(**options)
        post = context.request.post(f"/v1/threads/{self.other}/posts", headers={"Keijiban-Page": "1", "Origin": Stage.url},
                                    data={"title": "自分で書いた、題が十五文字ある投稿", "body": "自分で書いた本文。"})
        self.own = post.json()["id"]
        return context.new_page()

    def each_screen(self, check, **options):
        """Every screen is opened once."""
        self.expected = ["nowhere"]
        page = self.signed_up(**options)
        for name, (path, act) in self.screens.items():
            with self.subTest(screen=name):
                page.goto(path)
                ready(page)
                if act: act(page)
                check(name, page)

    def picture(self, page, name):
        """All of a screen, however long, with the places at its foot."""
        wide = page.viewport_size["width"]
        size(page, wide, min(2_400, page.evaluate("document.documentElement.scrollHeight")))
        self.shoot(page, name)

    def check_every_size_and_scheme(self, language, **options):
        def check(name, page):
            for wide, high in SIZES:
                for scheme in SCHEMES:
                    size(page, wide, high)
                    page.emulate_media(color_scheme=scheme)
                    self.assertEqual(page.evaluate(RULES, wide < 736), [], f"{wide} {scheme}")
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), wide)
                    if wide in (390, 1280) and not name.startswith("hard"): self.picture(page, f"{name}-{wide}-{scheme}-{language}")
            size(page, 390)
        self.each_screen(check, **options)

    def test_the_rules_find_what_breaks_them(self):
        page = self.page(f"/threads/{self.thread}")
        ready(page)
        self.assertEqual(page.evaluate(RULES, True), [])
        page.evaluate("""() => { const main = document.querySelector('main'), add = (tag, text, style = {}) => {
                const node = Object.assign(document.createElement(tag), { textContent: text }); Object.assign(node.style, style); main.append(node); return node; };
            add('p', 'faint', { color: '#999' }).id = 'main'; add('button', ''); add('button', 'tiny', { height: '20px', padding: '0' }); document.querySelector('.thread-head').after(add('h3', 'deep'));
            add('nav', 'nowhere'); add('input', ''); add('li', 'alone'); add('p', 'below'); add('p', 'above', { marginTop: '-30px' });
            add('p', 'outside', { width: '200px', marginLeft: '360px' }).setAttribute('aria-labelledby', 'nobody'); document.documentElement.lang = ''; }""")
        found = " ".join(page.evaluate(RULES, True))
        for fault in ("no name", "no label", "contrast", "twice: #main", "small target", "skips a level", "a place without a name", "an item of no list",
                      "over each other", "leaves main", "leaves the screen", "leads nowhere: nobody", "no language"): self.assertIn(fault, found)

    def test_every_screen_is_well_formed_at_every_size(self): self.check_every_size_and_scheme("ja")

    def test_every_screen_is_well_formed_in_english(self):
        def check(name, page):
            self.assertEqual(page.locator("html").get_attribute("lang"), "en")
            strangers = STRANGERS + (", .orders a" if name.startswith("daily") else ", h1" if name == "user" else "")
            # Where the title is that of a thread, post or person.
            if page.locator(strangers).filter(has_text=page.title().removesuffix(" · Keijiban")).count(): strangers += ", title"
            said = page.evaluate(JAPANESE, strangers)
            # Who gives no name is called so in every language.
            self.assertEqual([text for text in said if "名無しさん" not in text], [])
            # What its words can break is found where there is least room, and where all of them are shown.
            for wide in (1280, 320, 390):
                size(page, wide)
                self.assertEqual(page.evaluate(RULES, wide < 736), [], wide)
            if name in ("threads", "thread", "post", "daily", "search-narrowed", "me", "write", "open", "delete", "away"): self.picture(page, f"{name}-390-light-en")
        self.each_screen(check, locale="en-US")

    def test_no_width_and_no_text_size_makes_it_scroll_sideways(self):
        page = self.signed_up()
        for path in ("/", f"/threads/{self.thread}", f"/threads/{self.hard}", f"/posts/{self.hard_post}", f"/threads/{self.hard}/write", f"/search?thread={self.hard}", "/me", f"/daily?thread={self.daily}&date=2026-11-27"):
            page.goto(path)
            ready(page)
            for wide in (280, 480, 481, 735, 736, 960, 2560):
                size(page, wide)
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), wide, path)
            size(page, 640)
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 640, f"{path} with twice the text")
            self.assertEqual([fault for fault in page.evaluate(RULES, False) if "over each" in fault or "leaves" in fault], [], f"{path} with twice the text")

    def test_short_and_long_pages_have_their_text_at_the_same_place(self):
        page = self.page("/search", viewport={"width": 1280, "height": 900})
        left = page.locator("h1").bounding_box()["x"]
        page.evaluate("document.body.style.minHeight = '3000px'")
        self.assertAlmostEqual(page.locator("h1").bounding_box()["x"], left, delta=0.5)
        self.assertAlmostEqual(page.locator(".top").bounding_box()["width"], page.evaluate("document.documentElement.clientWidth"), delta=0.5)
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).scrollbarGutter"), "auto")

    def test_news_lie_over_nothing_and_move_nothing(self):
        thread = self.yamada.opens("新しい投稿が来るスレッド")
        self.yamada.posts(thread, "はじめからある投稿の題、十五文字です")
        page = self.page(f"/threads/{thread}")
        ready(page)
        page.locator("body[data-live=yes]").wait_for(state="attached")
        first = page.locator("ol.list > li").first
        before = first.bounding_box()
        for number in range(12): self.hanako.posts(thread, f"あとから来た投稿の題、その{number}番め")
        button = page.locator("#news button")
        button.filter(has_text="12").wait_for()
        self.assertAlmostEqual(first.bounding_box()["y"], before["y"], delta=1)
        for wide in (280, 320, 390, 768, 1280):
            with self.subTest(wide=wide):
                size(page, wide)
                self.assertEqual(page.evaluate(RULES, wide < 736), [])
                row, news = first.bounding_box(), button.bounding_box()
                self.assertLessEqual(news["y"] + news["height"], row["y"])
                if wide in (390, 1280): self.shoot(page, f"news-{wide}")
        size(page, 390, 500)
        page.evaluate("document.querySelector('main').style.minHeight = '3000px'; scrollTo(0, 600)")
        self.assertTrue(page.evaluate("(({ top, bottom }) => top > 50 && bottom < 140)(document.querySelector('#news button').getBoundingClientRect())"))
        button.click()
        self.eventually(page, "document.querySelectorAll('ol.list > li').length === 13")

    def test_what_has_no_picture_has_a_place_for_one(self):
        page = self.page(f"/threads/{self.thread}")
        ready(page)
        place = page.locator(f"[data-id='{self.bare}'] .frame")
        self.assertEqual(place.locator("svg").count(), 1)
        self.assertEqual(place.bounding_box()["height"], 72)
        page.goto(f"/posts/{self.bare}")
        self.assertEqual(page.locator("article .frame.none svg").count(), 1)
        for path, row in (("/", f"[data-id='{self.empty}']"), (f"/search?q=トースト", f"[data-id='{self.bare}']"),
                          (f"/daily?thread={self.daily}", ".row:has-text('新人二人')"), (f"/threads/{self.empty}", ".thread-head")):
            page.goto(path)
            ready(page)
            # Rows may be filled in again just now.
            wide = 56 if path.startswith("/threads/") else 72
            box = page.locator(f"{row} .thumb.none:has(svg)").first
            expect(box).to_have_css("width", f"{wide}px")

    def test_a_picture_that_is_taken_away_leaves_a_place_for_one(self):
        post = self.yamada.posts(self.other, "写真をあとから外す投稿、十五文字です", picture="e")
        page = self.page(f"/threads/{self.other}")
        ready(page)
        page.locator("body[data-live=yes]").wait_for(state="attached")
        card = page.locator(f"[data-id='{post}']")
        card.locator(".frame img").wait_for(state="attached")
        self.yamada.edits(post, 1, imageId=None)
        card.locator(".frame.none svg").wait_for()
        self.assertEqual(card.locator(".frame").bounding_box()["height"], 72)
        self.assertEqual(card.locator("img").count(), 0)
        page.reload()
        self.assertEqual(card.locator(".frame.none svg").count(), 1)

    def test_chosen_things_are_seen_without_colours(self):
        page = self.page("/", forced_colors="active")
        ready(page)
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.orders [aria-current]')).outlineStyle"), "solid")
        for control in (".button.main", ".search"):
            self.assertNotIn("none", page.evaluate("control => getComputedStyle(document.querySelector(control)).borderTopStyle", control))
        page.goto(f"/daily?thread={self.daily}&date=2026-11-27")
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.week [aria-current]')).outlineStyle"), "solid")
        self.assertNotEqual(page.evaluate("getComputedStyle(document.querySelector('.week .has .dot')).backgroundColor"), page.evaluate("getComputedStyle(document.body).backgroundColor"))

    def test_nothing_moves_for_who_wants_nothing_to_move(self):
        motion = "document.querySelector('ol.list').append(Object.assign(document.createElement('li'), { className: 'skeleton' })), getComputedStyle(document.querySelector('.skeleton')).animationName"
        self.assertEqual(self.page("/").evaluate(motion), "none")
        self.assertEqual(self.page("/", reduced_motion="no-preference").evaluate(motion), "wait")

    def test_what_is_wrong_is_red(self):
        page = self.page(f"/threads/{self.thread}/write")
        ready(page)
        page.locator("#title").fill("短い題")
        for scheme, red in (("light", "rgb(184, 52, 31)"), ("dark", "rgb(240, 135, 123)")):
            page.emulate_media(color_scheme=scheme)
            self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('#title-says')).color"), red)
            self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('#title')).borderTopColor"), red)
            self.assertNotEqual(page.evaluate("getComputedStyle(document.querySelector('#body')).borderTopColor"), red)

    def test_dark_is_dark(self):
        page = self.page("/", color_scheme="dark")
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), "rgb(21, 23, 26)")

    def test_keys_alone_lead_everywhere(self):
        page = self.page("/", viewport={"width": 1280, "height": 900})
        ready(page)
        focused = lambda: page.evaluate("document.activeElement.textContent.trim() || document.activeElement.name || document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Tab")
        self.assertEqual(focused(), "本文へ")
        page.keyboard.press("Enter")
        self.assertEqual(page.evaluate("document.activeElement.id"), "main")

        def tab_to(selector):
            for _ in range(60):
                page.keyboard.press("Tab")
                if page.evaluate("selector => document.activeElement.matches(selector)", selector): return
            self.fail(f"no way to {selector}")

        tab_to(f"a[href='/threads/{self.thread}']")
        self.assertNotEqual(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "none")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/threads/{self.thread}")
        ready(page)
        tab_to("article .like")
        page.keyboard.press("Enter")
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("dialog").wait_for(state="detached")
        page.keyboard.press("Space")
        page.get_by_role("dialog").wait_for()
        page.keyboard.type("keys")
        with page.expect_response("**/like"): page.keyboard.press("Enter")
        tab_to("article summary")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="TextPack で保存").wait_for()
        page.keyboard.press("Escape")
        page.get_by_role("button", name="TextPack で保存").wait_for(state="hidden")
        page.goto(f"/threads/{self.thread}/write")
        ready(page)
        self.assertEqual(page.evaluate("document.activeElement.id"), "title")
        page.keyboard.type("キーボードだけで書いた、十五文字の題")
        page.keyboard.press("Tab")
        page.keyboard.type("本文もキーボードだけで。")
        tab_to("#send")
        page.keyboard.press("Enter")
        page.wait_for_url(f"**/threads/{self.thread}")
        self.assertTrue(page.get_by_role("link", name="キーボードだけで書いた、十五文字の題").is_visible())
