"""Streams at one gateway: what they hold of its memory, and how long until the last of them has heard."""
import re, select, socket, time, urllib.parse
import filling, report


def memory(process):
    """Proportional set size in bytes."""
    text = open(f"/proc/{process.pid}/smaps_rollup").read()
    return int(re.search(r"^Pss:\s+(\d+) kB", text, re.M)[1]) * 1024


class Listeners:
    def __init__(self, board, path, count):
        address = urllib.parse.urlsplit(board.url)
        self.poll, self.sockets = select.epoll(), {}
        for _ in range(count):
            one = socket.create_connection((address.hostname, address.port))
            one.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\nAccept: text/event-stream\r\n\r\n".encode())
            one.setblocking(False)
            self.sockets[one.fileno()] = one
            self.poll.register(one, select.EPOLLIN)

    def wait_for(self, mark, seconds=60):
        """Seconds until each of them has got `mark`."""
        began, waiting, rest = time.monotonic(), set(self.sockets), {}
        while waiting:
            if time.monotonic() - began > seconds: raise SystemExit(f"{len(waiting)} streams did not hear of {mark} within {seconds} s")
            for number, _ in self.poll.poll(1):
                data = self.sockets[number].recv(65_536)
                if not data: raise SystemExit("a stream was ended")
                if number in waiting and mark in rest.get(number, b"") + data: waiting.discard(number)
                rest[number] = data[-200:]
        return time.monotonic() - began


def run(board, content, options, folder):
    gateway, before = board.child("gateway"), memory(board.child("gateway"))
    listeners = Listeners(board, f"/v1/live?thread={content.threads[0]}", options.streams)
    listeners.wait_for(b"event: open")
    held = memory(gateway) - before
    report.line(f"{options.streams:,} streams: memory of the gateway", held / 1e6, " MB", f"{held / options.streams / 1000:.1f} kB each", goal="125 MB")
    post, person = content.posts[0], content.tokens
    filling.call(board, "DELETE", f"/v1/posts/{post}/like", person[-1])
    times = []
    for number in range(10):
        method = "PUT" if number % 2 == 0 else "DELETE"
        before = time.monotonic()
        total = filling.call(board, method, f"/v1/posts/{post}/like", person[-1])["likeCount"]
        listeners.wait_for(f'"id":"{post}","likeCount":{total},'.encode())
        times.append(time.monotonic() - before)
    times.sort()
    report.line("a like, until the last of them has heard", times[len(times) // 2] * 1000, " ms",
                f"{times[0] * 1000:.0f} to {times[-1] * 1000:.0f}, Python reads", goal="250 ms")
