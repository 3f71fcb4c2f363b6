"""A board of our own: started by its launcher on a folder of its own, looked into, and stopped."""
import os, pathlib, re, signal, subprocess, sys, tempfile, threading, time, urllib.request

SERVICES = ("threads", "posts", "media", "likes", "gateway")


class Process:
    """A process told apart from any later one with its number; None of these signals reach anything else."""

    def __init__(self, pid):
        self.pid = pid
        fields = self._fields()
        if fields is None: raise ProcessLookupError(pid)
        self.parent, self.started = int(fields[1]), int(fields[19])

    def _fields(self):
        try:
            text = pathlib.Path(f"/proc/{self.pid}/stat").read_text()
        except OSError:
            return None
        fields = text[text.rindex(")") + 2:].split()
        return None if fields[0] == "Z" else fields

    @property
    def is_alive(self):
        fields = self._fields()
        return fields is not None and int(fields[19]) == self.started

    def send(self, number):
        if self.is_alive:
            try: os.kill(self.pid, number)
            except ProcessLookupError: pass

    def environment(self, name):
        for item in pathlib.Path(f"/proc/{self.pid}/environ").read_bytes().split(b"\0"):
            if item.startswith(name.encode() + b"="): return item.split(b"=", 1)[1].decode()


class Board:
    def __init__(self, programs, folder):
        self.folder = pathlib.Path(folder)
        self.data = self.folder / "data"
        self.lines = []  # all that the launcher said, with the moment
        self.url = None
        self._said = threading.Condition()
        environment = {**os.environ, "KEIJIBAN_DATA": str(self.data), "KEIJIBAN_PORT": "0", "KEIJIBAN_LIFELINE": "stdin"}
        self.process = subprocess.Popen(
            [str(pathlib.Path(programs).resolve() / "keijiban")], env=environment, cwd=folder, start_new_session=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        with open(self.folder / "launcher.log", "w") as log:
            for line in self.process.stdout:
                log.write(f"{time.time():.3f} {line}")
                log.flush()
                with self._said:
                    self.lines.append((time.monotonic(), line.rstrip()))
                    if line.startswith("Keijiban is ready: "): self.url = line.split(": ", 1)[1].strip()
                    self._said.notify_all()

    def wait_until_ready(self, seconds):
        with self._said:
            ready = self._said.wait_for(lambda: self.url or self.process.poll() is not None, seconds)
        if not (ready and self.url):
            raise SystemExit("The board did not start:\n" + "\n".join(line for _, line in self.lines))

    def child(self, name):
        """The process that the launcher runs under that name just now; None between two lives."""
        try:
            process = Process(int((self.data / "running" / name).read_text().split()[0]))
        except (OSError, ValueError, IndexError):
            return None
        return process if process.parent == self.process.pid else None

    def postmaster(self):
        """PostgreSQL itself, behind its guardian."""
        guardian = self.child("postgres")
        try:
            process = Process(int((self.data / "postgres/cluster/postmaster.pid").read_text().split()[0]))
        except (OSError, ValueError, IndexError):
            return None
        return process if guardian and process.parent == guardian.pid else None

    def query(self, database, sql):
        """The rows, each a list of texts, '' where null."""
        port = (self.data / "postgres/cluster/postmaster.pid").read_text().split("\n")[3]
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/psql")) or ["psql"]
        password = (self.data / "secrets/postgres-superuser").read_text()
        answer = subprocess.run(
            [programs[-1], "-X", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-p", port,
             "-U", "keijiban", "-d", database, "-c", sql],
            env={**os.environ, "PGPASSWORD": password}, capture_output=True, text=True, timeout=60)
        if answer.returncode: raise RuntimeError(f"psql on {database}: {answer.stderr.strip()}")
        return [line.split("\t") for line in answer.stdout.splitlines()]

    def records(self, topic):
        """(partition, sequence, epoch) of all that the broker holds of a topic, in its order."""
        broker = (self.data / "bootstrap-servers").read_text().strip()
        answer = subprocess.run(
            ["kcat", "-C", "-b", broker, "-t", topic, "-o", "beginning", "-e", "-q", "-f", "%p %h\\n"],
            capture_output=True, text=True, timeout=90)
        if answer.returncode: raise RuntimeError(f"kcat on {topic}: {answer.stderr.strip()}")
        for line in answer.stdout.splitlines():
            partition, headers = line.split(" ", 1)
            sequence, epoch = (re.search(rf"(?:^|,){name}=([^,]*)", headers) for name in ("ce_sequence", "ce_logepoch"))
            if not (sequence and epoch): raise RuntimeError(f"{topic}: a record without an envelope: {line}")
            yield int(partition), int(sequence[1]), epoch[1]

    def stop(self, seconds=60):
        """Asks it to stop; returns what was wrong with how it did."""
        began = time.monotonic()
        left = {name: self.child(name) for name in os.listdir(self.data / "running")} if self.data.exists() else {}
        if self.process.poll() is not None: return [f"the launcher had ended with {self.process.returncode}"]
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGTERM)  # the second one ends everything at once
            try: self.process.wait(10)
            except subprocess.TimeoutExpired: self.process.kill()
            return [f"the board did not stop within {seconds} s"]
        faults = [f"the launcher ended with {status}"] if status else []
        faults += [f"{name} was left running" for name, process in left.items() if process and process.is_alive]
        print(f"The board stopped within {time.monotonic() - began:.1f} s", flush=True)
        return faults


class Disturber:
    """Kills processes of the board at random and sees how long each needs to be ready again."""

    def __init__(self, board, dice, services, kill_broker, kill_postgres):
        self.board, self.dice = board, dice
        self.targets = list(services or SERVICES) * 4 + ["broker"] * (2 * kill_broker) + ["postgres"] * kill_postgres
        self.kills = []  # (moment, name, signal)
        self.recoveries = {}  # name: seconds from the signal to ready
        self.stops = {}  # name: seconds from SIGTERM to the end
        self.faults = []
        self.ports = {name: int(board.child(name).environment("PORT")) for name in SERVICES}
        self._watchers = {}

    def run(self, until):
        while (pause := self.dice.uniform(0.4, 1.4)) + time.monotonic() < until:
            time.sleep(pause)
            self.strike(self.dice.choice(self.targets))
        for watcher in list(self._watchers.values()): watcher.join()

    def strike(self, name):
        watcher = self._watchers.get(name)
        # Now and then one that has hardly begun; mostly one that has taken up its work.
        if watcher and watcher.is_alive() and self.dice.random() < 0.8: return
        process = self.board.postmaster() if name == "postgres" else self.board.child(name)
        if name == "postgres" and self.dice.random() < 0.3: process = self.board.child(name)
        if not process: return
        number = self.dice.choice(
            [signal.SIGKILL, signal.SIGQUIT] if name == "postgres" and process.pid != (self.board.child(name) or process).pid
            else [signal.SIGKILL] if name in ("postgres", "broker") else [signal.SIGKILL, signal.SIGTERM])
        self.kills.append((time.monotonic(), name, number))
        process.send(number)
        if name in SERVICES:
            self._watchers[name] = threading.Thread(target=self._watch, args=(name, process, number, time.monotonic()), daemon=True)
            self._watchers[name].start()

    def _watch(self, name, process, number, began):
        while process.is_alive:
            if time.monotonic() - began > 12:
                self.faults.append(f"{name} had not ended 12 s after {number.name}")
                return
            time.sleep(0.005)
        if number == signal.SIGTERM: self.stops.setdefault(name, []).append(time.monotonic() - began)
        ended = time.monotonic()
        while time.monotonic() - ended < 30:
            if any(moment > began and other == name for moment, other, _ in self.kills): return  # hit again meanwhile
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.ports[name]}/readyz", timeout=2) as answer:
                    if answer.status == 200:
                        self.recoveries.setdefault(name, []).append(time.monotonic() - ended)
                        return
            except OSError:
                pass
            time.sleep(0.02)
        self.faults.append(f"{name} was not ready 30 s after its end")

    def endings(self):
        """What the launcher said of ends that no signal of ours explains."""
        for _, line in self.board.lines:
            found = re.match(r"(\w+) ended \((exit status|signal) (\d+)\)", line)
            if not found: continue
            name, kind, number = found[1], found[2], int(found[3])
            expected = (kind, number) in (("signal", 9), ("exit status", 0)) or name == "postgres"
            if not expected: yield line
