// What others do, as it happens. The stream says what changed; on opening, and wherever it may have missed something, the
// screen is read again from the position that the stream begins at.
const longest = 30_000;
const patience = 20_000;

/** Follows a stream. `heard` has a function for each kind of event, `opened(position)` reads what is shown again. */
export function follow(target, { opened, closed, heard }) {
  let source = null;
  let pause = 1_000;
  let timer = null;
  let rest = null;
  const seen = new Set();

  const once = (action) => (event) => {
    if (event.lastEventId) {
      if (seen.has(event.lastEventId)) return;
      seen.add(event.lastEventId);
      if (seen.size > 2_000) seen.delete(seen.values().next().value);
    }
    action(JSON.parse(event.data || "null") ?? {});
  };

  function start() {
    stop();
    source = new EventSource(target);
    source.addEventListener("open", (event) => {
      // The connection has an event of this name, too, which has no data.
      if (!(event instanceof MessageEvent)) return;
      pause = 1_000;
      document.body.dataset.live = "yes";
      opened(JSON.parse(event.data || "{}").position);
    });
    source.addEventListener("reset", () => opened(null));
    for (const [name, action] of Object.entries(heard)) source.addEventListener(name, once(action));
    source.onerror = () => {
      document.body.dataset.live = "no";
      closed?.();
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(start, pause);
      pause = Math.min(longest, pause * 2);
    };
  }

  function stop() {
    clearTimeout(timer);
    if (source) closed?.();
    source?.close();
    source = null;
    document.body.dataset.live = "no";
  }

  const restSoon = () => { rest = setTimeout(stop, patience); };

  start();
  if (document.hidden) restSoon();
  // A page that is put aside must not hold a connection; one that slept may hold a dead one.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted) start(); });
  addEventListener("online", () => { if (!document.hidden) start(); });
  // A browser has few connections for all its tabs: one that nobody looks at gives its own back.
  document.addEventListener("visibilitychange", () => {
    clearTimeout(rest);
    if (document.hidden) restSoon();
    else if (source?.readyState !== EventSource.OPEN) start();
  });
}

/** The newest items of a list, newest first, as far down as one that is shown already; at most a thousand. */
export async function newest(source, isShown, read) {
  const items = [];
  let cursor = null;
  for (let pages = 0; pages < 10; pages += 1) {
    const page = await read(cursor ? `${source}&limit=100&cursor=${encodeURIComponent(cursor)}` : `${source}&limit=20`);
    items.push(...page.items);
    cursor = page.nextCursor;
    if (!cursor || page.items.some(({ id }) => isShown(id))) break;
  }
  return items;
}

/** The id that an event about something gone names. */
export const gone = (data) => typeof data === "string" ? data : data.id;
