// One connection for all tabs of a browser, which has only six for a board: the tab that leads holds it and tells the others what
// it hears. When that one goes, the next takes over. Where a browser has no locks, each tab leads itself.
const name = "keijiban-live";
const longest = 30_000;
const patience = 5_000;
const overlap = 500;
/** How many threads the board tells of in one connection. */
const most = 50;
const events = ["counts", "post.created", "post.edited", "post.deleted", "thread.created", "thread.edited", "thread.deleted", "reset"];
const tab = String(crypto.getRandomValues(new Uint32Array(2)));

/** A connection that is kept up. `tell(event, data, tabs)`: for all its tabs where `tabs` is null. */
function keepUp(tell) {
  let source = null;
  let coming = null;
  let fading = null;
  let target = null;
  let timer = null;
  let pause = 1_000;
  let waiting = new Set();

  function open() {
    clearTimeout(timer);
    coming?.close();
    const fresh = new EventSource(target);
    coming = fresh;
    fresh.addEventListener("open", (event) => {
      // The connection has an event of this name, too, which has no data.
      if (!(event instanceof MessageEvent)) return;
      pause = 1_000;
      // Those who heard the one before have missed nothing.
      const isHandedOver = fresh === coming && source?.readyState === EventSource.OPEN;
      if (fresh === coming) {
        // What the old one was sent before that may still be on its way.
        fading?.close();
        fading = source;
        setTimeout((old) => old?.close(), overlap, source);
        source = fresh;
        coming = null;
      }
      tell("open", JSON.parse(event.data || "{}"), isHandedOver ? [...waiting] : null);
      waiting.clear();
    });
    for (const kind of events) fresh.addEventListener(kind, (event) => tell(kind, JSON.parse(event.data || "null") ?? {}, null));
    fresh.onerror = () => {
      if (fresh !== source && fresh !== coming) { fresh.close(); return; }
      if (fresh === source || !source) tell("closed", {}, null);
      if (fresh.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, pause);
      pause = Math.min(longest, pause * 2);
    };
  }

  return {
    /** Begins anew for a tab, which is told from where to read; the others go on hearing the old one until then. */
    begin(address, who) {
      target = address;
      who.forEach((one) => waiting.add(one));
      open();
    },
    /** A connection may have died in its sleep. */
    renew(isSure) {
      if (!target || (!isSure && (coming ?? source)?.readyState === EventSource.OPEN)) return;
      if (source) tell("closed", {}, null);
      source?.close();
      source = null;
      open();
    },
    stop() {
      clearTimeout(timer);
      for (const one of [coming, source, fading]) one?.close();
      source = coming = fading = target = null;
      waiting = new Set();
    },
  };
}

/** What all want together. A thread that somebody looks at goes before the many that a list comes from, and the newest tab first. */
function together(wishes) {
  const lists = [...wishes].reverse().map(({ threads }) => threads);
  const longestList = Math.max(0, ...lists.map(({ length }) => length));
  const all = new Set();
  for (let at = 0; at < longestList; at += 1) for (const list of lists) if (at < list.length && all.size < most) all.add(list[at]);
  return [...all].sort();
}

function openChannel() {
  try {
    return navigator.locks && window.BroadcastChannel ? new BroadcastChannel(name) : null;
  } catch {
    return null;
  }
}

/**
 * Joins those who listen. `wish()` says what for: `list`, the list of threads, and `threads`, ids. `hear(line, event, data)` gets
 * what is said on the line `list` or `threads`; `open` says from which position to read what is shown once more.
 */
export function join(wish, hear) {
  const channel = openChannel();
  const waiting = new AbortController();
  /** While this tab leads: what each tab wants, and the connections. */
  let wishes = null;
  let lines = null;
  let giveUp = null;
  let isOver = false;
  let soon = null;
  let silence = null;
  const fresh = new Set();

  const post = (message) => channel?.postMessage(message);
  const want = () => ({ tab, ...wish() });

  function say(line, event, data, tabs) {
    const message = { kind: "said", line, event, data, tabs };
    post(message);
    take(message);
  }

  /** Opens what is wanted and not there, and closes what nobody wants any more. */
  function settle() {
    soon = null;
    if (!wishes) return;
    const all = [...wishes.values()];
    const joined = all.filter((one) => fresh.has(one.tab));
    fresh.clear();
    const threads = together(all);
    for (const [line, wants, address] of [
      ["list", (one) => one.list, "/v1/live"],
      ["threads", (one) => one.threads.length > 0, `/v1/live?${threads.map((id) => `thread=${id}`).join("&")}`],
    ]) {
      const who = joined.filter(wants).map((one) => one.tab);
      if (!all.some(wants)) lines[line].stop();
      else if (who.length > 0) lines[line].begin(address, who);
    }
  }

  function note(one) {
    wishes.set(one.tab, one);
    fresh.add(one.tab);
    soon ??= setTimeout(settle, 20);
  }

  function lead() {
    if (isOver) return undefined;
    clearTimeout(silence);
    wishes = new Map();
    lines = Object.fromEntries(["list", "threads"].map((line) => [line, keepUp((...said) => say(line, ...said))]));
    note(want());
    post({ kind: "who" });
    return new Promise((resolve) => { giveUp = resolve; });
  }

  function stepDown() {
    clearTimeout(soon);
    soon = null;
    for (const line of Object.values(lines ?? {})) line.stop();
    wishes = lines = null;
  }

  /** Who leads and does not answer is no longer there. */
  function expectAnswer() {
    clearTimeout(silence);
    if (!wishes) silence = setTimeout(() => request({ steal: true }), patience);
  }

  function request(options) {
    navigator.locks.request(name, options, lead).catch((problem) => {
      // Another has taken the lead. Who took it stands in the queue besides.
      stepDown();
      if (isOver || options.steal) return;
      if (problem.name === "AbortError") request({ signal: waiting.signal });
      else lead(); // Whose storage is blocked has no locks either.
    });
  }

  function take(message) {
    switch (message.kind) {
      case "said":
        if (isOver || (message.tabs && !message.tabs.includes(tab))) return;
        if (!wishes) clearTimeout(silence);
        hear(message.line, message.event, message.data);
        break;
      case "who":
        for (const line of ["list", "threads"]) hear(line, "closed", {});
        post({ kind: "want", want: want() });
        break;
      case "want": if (wishes) { note(message.want); post({ kind: "noted", tab: message.want.tab }); } break;
      case "alive": if (wishes) post({ kind: "noted", tab: message.tab }); break;
      case "noted": if (message.tab === tab) clearTimeout(silence); break;
      case "leave":
        if (wishes?.delete(message.tab)) soon ??= setTimeout(settle, 20);
        break;
    }
  }

  if (channel) {
    channel.onmessage = ({ data }) => take(data);
    request({ signal: waiting.signal });
    post({ kind: "want", want: want() });
    expectAnswer();
  } else lead();

  return {
    /** What is wanted is another. */
    again() {
      if (wishes) note(want());
      else { post({ kind: "want", want: want() }); expectAnswer(); }
    },
    /** Whether the one who leads is still there: it may hang, and would not say so. */
    check() {
      if (!wishes) { post({ kind: "alive", tab }); expectAnswer(); }
    },
    /** After sleep, or when a connection is back. */
    wake(isSure) {
      if (wishes) for (const line of Object.values(lines)) line.renew(isSure);
      else this.check();
    },
    leave() {
      isOver = true;
      clearTimeout(silence);
      if (!wishes) post({ kind: "leave", tab });
      stepDown();
      waiting.abort();
      giveUp?.();
      channel?.close();
    },
  };
}
