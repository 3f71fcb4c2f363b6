"""Reads, beside nginx with one worker serving the same bytes from a file."""
import contextlib, os, socket, subprocess, time, urllib.request
import report


@contextlib.contextmanager
def nginx(folder, body):
    """Its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = folder / "nginx"
    home.mkdir(exist_ok=True)
    (home / "list.json").write_bytes(body)
    (home / "nginx.conf").write_text(f"""
        {'user root;' if os.getuid() == 0 else ''} worker_processes 1; daemon off; pid {home}/pid; error_log {home}/error.log;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000000; default_type application/json;
            client_body_temp_path {home}/body; proxy_temp_path {home}/proxy; fastcgi_temp_path {home}/fastcgi;
            uwsgi_temp_path {home}/uwsgi; scgi_temp_path {home}/scgi;
            server {{ listen 127.0.0.1:{port}; root {home}; }}
        }}""")
    process = subprocess.Popen(["nginx", "-c", str(home / "nginx.conf"), "-e", str(home / "error.log")])
    url = f"http://127.0.0.1:{port}/list.json"
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), urllib.request.urlopen(url) as answer:
                if answer.read() == body: break
            time.sleep(0.05)
        else:
            raise SystemExit("nginx does not serve: " + (home / "error.log").read_text())
        yield url
    finally:
        process.terminate()
        process.wait()


def run(board, content, options, folder):
    target = board.url + "/v1/threads"
    script = folder / "signed-in.lua"
    (folder / "tokens").write_text("\n".join(content.tokens))
    script.write_text("""
        local tokens, n = {}, 0
        for line in io.lines(os.getenv("BENCH_TOKENS")) do tokens[#tokens + 1] = line end
        request = function()
            n = n + 1
            return wrk.format("GET", nil, { Authorization = "Bearer " .. tokens[n % #tokens + 1] })
        end""")
    tokens = {"BENCH_TOKENS": str(folder / "tokens")}
    page = f"{board.url}/v1/threads/{content.threads[0]}/posts"
    with urllib.request.urlopen(target) as answer: body = answer.read()
    with nginx(folder, body) as file:
        for connections in (64, 256):
            ours, theirs = report.best(
                options.rounds, lambda: report.wrk(target, connections, options.seconds)[0],
                lambda: report.wrk(file, connections, options.seconds)[0])
            report.line(f"GET /v1/threads, {connections} connections", ours, "/s", "nginx", theirs, "1.0")
        for what, url in (("GET /v1/threads, signed in", target), ("GET /v1/threads/{id}/posts, signed in", page)):
            ours, theirs = report.best(
                options.rounds, lambda: report.wrk(url, 64, options.seconds, script, tokens)[0],
                lambda: report.wrk(file, 64, options.seconds)[0])
            report.line(what, ours, "/s", "nginx", theirs, "0.4")
