"""How it looks and how it is used by whom: sizes, schemes, keys alone, names and contrast; and a picture of every screen."""
from stage import PageTest, Stage, eventually, ready

SIZES = {"phone": {"width": 390, "height": 844}, "wide": {"width": 1100, "height": 900}}

# Names, roles and contrast, as the rules that axe has them: each finding is one line.
FAULTS = """() => {
    const faults = [], visible = node => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest('[inert], .hidden');
    const text = node => (node.textContent + [...node.querySelectorAll('img')].map(image => image.alt).join('')).trim();
    const name = node => (node.getAttribute('aria-label') || (node.getAttribute('aria-labelledby') || '').split(' ')
        .map(id => document.getElementById(id)?.textContent ?? '').join('') || [...(node.labels ?? [])].map(text).join('') || text(node) || node.title).trim();
    for (const node of document.querySelectorAll('a, button, summary, input:not([type=hidden]), textarea, select, [role=tab]'))
        if (visible(node) && !name(node)) faults.push(`no name: ${node.outerHTML.slice(0, 90)}`);
    for (const image of document.querySelectorAll('img')) if (!image.hasAttribute('alt')) faults.push(`no alt: ${image.src}`);
    if (document.querySelectorAll('main').length !== 1) faults.push('not one main');
    if (document.querySelectorAll('h1').length !== 1) faults.push('not one h1');
    let level = 1;
    for (const heading of document.querySelectorAll('h1, h2, h3')) {
        if (!visible(heading) && heading.localName !== 'h1') continue;
        if (Number(heading.localName[1]) > level + 1) faults.push(`skips a level: ${heading.textContent}`);
        level = Number(heading.localName[1]);
    }
    const ids = [...document.querySelectorAll('[id]')].map(node => node.id);
    for (const id of new Set(ids)) if (ids.filter(other => other === id).length > 1) faults.push(`twice: #${id}`);
    for (const node of document.querySelectorAll('[aria-describedby], [aria-labelledby], [aria-controls]'))
        for (const attribute of ['aria-describedby', 'aria-labelledby', 'aria-controls'])
            for (const id of (node.getAttribute(attribute) ?? '').split(' ').filter(Boolean))
                if (!document.getElementById(id)) faults.push(`${attribute} leads nowhere: ${id}`);
    if (!document.documentElement.lang) faults.push('no language');
    for (const node of document.querySelectorAll('[tabindex]')) if (node.tabIndex > 0) faults.push('an order of its own');
    for (const node of document.querySelectorAll('button, summary, .button, .tabs a, .orders a')) {
        if (!visible(node)) continue;
        const { width, height } = node.getBoundingClientRect();
        if (width < 43.5 || height < 43.5) faults.push(`small target: ${name(node)} ${Math.round(width)}x${Math.round(height)}`);
    }
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const rgb = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
    const light = colour => { const [r, g, b] = colour.map(value => { const part = value / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
    const ground = node => { for (let at = node; at; at = at.parentElement) { const colour = rgb(getComputedStyle(at).backgroundColor); if (colour[3] > 230) return colour; } return rgb('Canvas'); };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !visible(node) || node.closest('template, [disabled], option')) continue;
        const style = getComputedStyle(node), size = parseFloat(style.fontSize);
        const [one, other] = [light(rgb(style.color)), light(ground(node))], ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        if (ratio < (size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 30)}`);
    }
    return faults;
}"""


class Looks(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        people = {name: Person(Stage.url, name) for name in ("山田", "はなこ", "佐藤", "田中", "kobo")}
        people["kobo"].opens("古い本の修理、糊と和紙の選びかた", "背が割れた文庫本を直したい。身近な材料でできる方法を集めます。", picture="c")
        cls.empty = people["田中"].opens("はじめての SwiftUI、つまずいたところ", "同じところで止まる人がきっといるので、解けた話も、まだ解けない話も歓迎です。")
        cls.daily = people["佐藤"].opens("開発チームの日報", "今日やったこと、困っていること、明日やること。", picture="c", kind="dailyReport")
        people["佐藤"].posts(cls.daily, None, "検索の画面を作りなおした。日付を選ぶと、その日の 0 時から 24 時までの日報だけが並ぶ。", picture="c", day="2026-11-27")
        people["田中"].posts(cls.daily, None, "新人二人に環境の作りかたを説明。二人とも三十分で動いた。", day="2026-11-27")
        cls.thread = people["山田"].opens("近所の小さな喫茶店を教えあうスレッド", "一人で長居できて、コーヒーがおいしいお店。場所と、その店で好きな席も添えてください。", picture="a")
        people["山田"].posts(cls.thread, "商店街の端、朝七時から開いている小さな店", "カウンターだけ。トーストの厚さを選べます。")
        cls.post = people["はなこ"].posts(cls.thread, "駅裏の階段を上がった二階の店、窓ぎわの席", "雨の日に行くと、線路をたたく雨の音がよく聞こえます。\nブレンドは深煎りで、ゆっくり冷めていくのがいい。\n\n本を二冊持っていって、二冊とも読みおえました。", picture="e")
        for person in people.values(): person.likes(cls.post)
        cls.author = people["はなこ"].post(cls.post)["author"]["id"]

    @property
    def screens(self):
        return {
            "threads": "/", "thread": f"/threads/{self.thread}", "thread-empty": f"/threads/{self.empty}", "post": f"/posts/{self.post}",
            "write": f"/threads/{self.thread}/write", "write-report": f"/threads/{self.daily}/write", "open": "/threads/new",
            "daily": f"/daily?thread={self.daily}&date=2026-11-27", "search": "/search?q=店", "search-start": "/search", "user": f"/users/{self.author}",
            "me": "/me", "documents": "/documents", "lost": "/nowhere",
        }

    def signed_up(self, **options):
        context = self.visitor(**options)
        page = context.new_page()
        page.goto(f"/posts/{self.post}")
        ready(page)
        with page.expect_response("**/like"):
            page.locator(".like").click()
            self.named(page)
        return page

    def each_screen(self, check, **options):
        self.expected = ["nowhere"]
        page = self.signed_up(**options)
        for name, path in self.screens.items():
            with self.subTest(screen=name):
                page.goto(path)
                ready(page)
                if name == "documents": page.get_by_role("button", name="新しく書く").or_(page.get_by_role("button", name="Start a new one")).click()
                check(name, page)

    def test_the_rules_find_what_breaks_them(self):
        page = self.page("/")
        ready(page)
        page.evaluate("""() => { const faint = document.createElement('p'); faint.style.color = '#999'; faint.textContent = 'faint'; faint.id = 'main';
            document.querySelector('main').append(document.createElement('button'), faint); }""")
        found = " ".join(page.evaluate(FAULTS))
        for fault in ("no name", "contrast", "twice: #main", "small target"): self.assertIn(fault, found)

    def check_and_shoot(self, size, scheme):
        def check(name, page):
            self.shoot(page, f"{name}-{size}-{scheme}")
            self.assertEqual(page.evaluate(FAULTS), [])
        self.each_screen(check, viewport=SIZES[size], color_scheme=scheme)

    def test_every_screen_is_well_formed_on_a_phone(self): self.check_and_shoot("phone", "light")

    def test_every_screen_is_well_formed_on_a_wide_screen(self): self.check_and_shoot("wide", "light")

    def test_every_screen_fits_320_pixels_and_the_dark(self):
        def check(name, page):
            self.shoot(page, f"{name}-narrow-dark")
            self.assertEqual(page.evaluate(FAULTS), [])
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 320)
        self.each_screen(check, viewport={"width": 320, "height": 640}, color_scheme="dark")

    def test_every_screen_speaks_english(self):
        def check(name, page):
            self.assertEqual(page.locator("html").get_attribute("lang"), "en")
            # Titles of threads and posts are in the language of who wrote them.
            parts = [".tabs, .act, .button, label, legend, .says, .hidden, .empty, .week, .week-head"]
            if name != "daily": parts.append(".orders a")
            if name not in ("thread", "thread-empty", "post", "user"): parts.append("h1")
            own = page.evaluate("parts => [...document.querySelectorAll(parts)].map(node => node.textContent).join('')", ", ".join(parts))
            self.assertNotRegex(own.replace("開発チームの日報", "").replace("名無しさん", ""), "[ぁ-んァ-ン一-龥]")
        page = self.page("/", locale="en-US")
        self.expected = ["nowhere"]
        for name, path in self.screens.items():
            with self.subTest(screen=name):
                page.goto(path)
                ready(page)
                check(name, page)

    def test_dark_is_dark(self):
        page = self.page("/", color_scheme="dark")
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"), "rgb(21, 23, 26)")

    def test_keys_alone_lead_everywhere(self):
        page = self.page("/", viewport=SIZES["wide"])
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
