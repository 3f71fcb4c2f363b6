"""A proxy that ends TLS before a board, as one stands before it elsewhere: it adds the header that says so and passes all else on."""
import pathlib, socket, ssl, subprocess, threading, urllib.parse


class TLSProxy:
    """At `url`, `https://localhost:port`, with a certificate that nobody vouches for. A connection carries one request."""

    def __init__(self, board, folder):
        self.target = urllib.parse.urlsplit(board)
        key, certificate = pathlib.Path(folder) / "key.pem", pathlib.Path(folder) / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=localhost", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=100)
        self.url = f"https://localhost:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try: client, _ = self.listener.accept()
            except OSError: return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        try:
            with self.context.wrap_socket(client, server_side=True) as browser:
                request = browser.makefile("rb")
                head = [request.readline()]
                while (line := request.readline()).strip(): head.append(line)
                if not line: return  # it was never sent
                lengths = [int(line.split(b":")[1]) for line in head if line.lower().startswith(b"content-length:")]
                body = request.read(sum(lengths))
                head[1:1] = [b"X-Forwarded-Proto: https\r\n", b"Connection: close\r\n"]
                with socket.create_connection((self.target.hostname, self.target.port)) as board:
                    board.sendall(b"".join(head) + b"\r\n" + body)
                    while piece := board.recv(65_536): browser.sendall(piece)
        except OSError:
            pass  # A browser lets go of connections as it likes.

    def close(self):
        self.listener.close()
