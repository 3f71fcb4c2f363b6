"""Runs wrk, and prints a line of the table."""
import os, re, subprocess


def line(what, value, unit, beside="", other=None, goal=""):
    ratio = f"{value / other:.2f}" if other else ""
    against = f"{beside} {other:,.0f}{unit}" if other else beside
    print(f"{what:44}{f'{value:,.0f}{unit}':>14}  {against:26}{ratio:>6}  {goal}", flush=True)


def wrk(url, connections, seconds, script=None, environment=None):
    """Answers a second, and how many there were. All of them must be 2xx."""
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "20s"]
    if script: command += ["-s", str(script)]
    answer = subprocess.run([*command, url], env={**os.environ, **(environment or {})}, capture_output=True, text=True)
    text = answer.stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if answer.returncode or not found: raise SystemExit(f"wrk on {url}: {answer.stderr or text}")
    if wrong := re.search(r"Non-2xx or 3xx responses: (\d+)|Socket errors: .*", text):
        raise SystemExit(f"wrk on {url}: {wrong[0]}")
    return float(found[1]), int(re.search(r"(\d+) requests in", text)[1])


def best(rounds, *measures):
    """The best of each, over rounds in which they take turns."""
    return [max(values) for values in zip(*([measure() for measure in measures] for _ in range(rounds)))]
