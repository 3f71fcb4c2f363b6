"""What goes over the wire before somebody sees the board."""
from stage import PageTest, Stage, ready


class Transfer(PageTest):
    @classmethod
    def setUpClass(cls):
        from person import Person
        person = Person(Stage.url, "名前も二十文字まで使ってしまう人がいます")
        for number in range(20):
            cls.thread = person.opens(f"{number:02}" + "題" * 58, "説明" * 250, picture="ace"[number % 3])

    def weigh(self, path):
        """Everything that comes until the page is set up and nothing more is under way: bytes once decoded and bytes as they came."""
        page = self.visitor().new_page()
        answers = []
        # The stream goes on for as long as somebody looks.
        page.on("requestfinished", lambda request: "/v1/live" in request.url or answers.append(request))
        page.goto(path)
        ready(page)
        self.eventually(page, "[...document.images].every(image => image.complete || image.getBoundingClientRect().top > innerHeight)")
        page.wait_for_timeout(1500)
        import collections
        kinds = collections.Counter(); wires = collections.Counter()
        for request in answers:
            n = len(request.response().body()); s = request.sizes()
            print(n, s["responseBodySize"], s["responseHeadersSize"], request.url[len(Stage.url):])
            kinds[request.resource_type] += n; wires[request.resource_type] += s["responseBodySize"]
        print(path, kinds, sum(kinds.values()), wires, sum(wires.values()))

    def test_x(self):
        self.weigh("/")
        self.weigh(f"/threads/{self.thread}/write")
