"""What goes over the wire before somebody sees the board, and what of it rows show."""
from stage import PageTest, Stage, ready


class Transfer(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        person = Person(Stage.url, "名前も二十文字まで使ってしまう人がいます")
        texts = {1: "word " * 100, 2: "一行め\n\n二行め\n" * 40, 3: "👨‍👩‍👧‍👦" * 500}
        for number in range(20):
            cls.thread = person.opens(f"{number:02}" + "題" * 58, texts.get(number, "説明" * 250), picture="ace"[number % 3])

    def weigh(self, path):
        """Bytes of the first view and of its pictures: (once decoded, on the wire with heads). What is asked for once it stands, to see
        what changes, is not counted."""
        page = self.visitor().new_page()
        answers = []
        page.on("requestfinished", lambda request: answers.append(request))
        page.goto(path)
        ready(page)
        self.eventually(page, "[...document.images].every(image => image.complete || image.getBoundingClientRect().top > innerHeight)")
        self.assertTrue(all(request.url.startswith(Stage.url) for request in answers))
        stood = page.evaluate("performance.timeOrigin + performance.getEntriesByName('ready')[0].startTime")
        first = [request for request in answers if request.timing["startTime"] < stood]
        weights = {True: [0, 0], False: [0, 0]}
        for request in first:
            weight = weights[request.resource_type == "image" and "/v1/media/" in request.url]
            sizes = request.sizes()
            weight[0] += len(request.response().body())
            weight[1] += sizes["responseBodySize"] + sizes["responseHeadersSize"]
        page.close()
        (decoded, wire), (pictures, pictures_wire) = weights[False], weights[True]
        print(f"{path}: {decoded} bytes, {wire} on the wire; and pictures {pictures}, {pictures_wire} on the wire", flush=True)
        return decoded, wire, pictures_wire

    def test_the_first_view_of_the_longest_list_is_light(self):
        decoded, wire, pictures = self.weigh("/")
        self.assertLess(decoded, 100_000)
        self.assertGreater(pictures, 3_000)
        self.assertLess(wire + pictures, 60_000)

    def test_the_first_view_of_a_form_is_light(self):
        decoded, wire, _ = self.weigh(f"/threads/{self.thread}/write")
        self.assertLess(decoded, 100_000)
        self.assertLess(wire, 45_000)

    def test_scripts_cut_a_rows_text_where_the_gateway_does(self):
        texts = "[...document.querySelectorAll('ol.list .text')].map(node => node.textContent)"
        given = self.page("/", java_script_enabled=False).evaluate(texts)
        self.assertEqual(len(given), 20)
        self.assertEqual(given[0], "説明" * 45 + "…")
        page = self.visitor().new_page()
        page.add_init_script("addEventListener('DOMContentLoaded', () => document.querySelectorAll('ol.list .text').forEach(node => { node.textContent = '?'; }))")
        page.goto("/")
        ready(page)
        # All rows are filled in again once the stream has begun.
        self.eventually(page, "![...document.querySelectorAll('ol.list .text')].some(node => node.textContent === '?')")
        self.assertEqual(page.evaluate(texts), given)
