// What others do, as it happens. The stream says what changed; on opening, and wherever it may have missed something, the
// screen is read again from the position that the stream begins at.
import { all } from "./dom.js";
import { counts } from "./frame.js";
import { getFresh } from "./api.js";
import { add, remove, shown, update } from "./list.js";
import { join } from "./stream.js";

const patience = 20_000;
const longest = 30_000;

/**
 * Follows what changes. `wish()` says what is shown: whether the `list` of threads, and the ids of `threads`. `heard` has a function
 * for each kind of event, `opened(position)` reads what is shown again. One is done after the other, so that what was read last is
 * never older than what is heard after it. Returns a function that is called when another wish holds.
 */
export function follow(wish, { opened, closed, heard }) {
  let place = null;
  let rest = null;
  let retry = null;
  let turn = Promise.resolve();
  const open = new Set();

  const inTurn = (action) => { turn = turn.then(action).catch(reportError); };

  /** A service that is away has it tried again. */
  function readAgain(position, pause = 2_000) {
    clearTimeout(retry);
    inTurn(() => opened(position).catch((problem) => {
      if (!place) return;
      if (problem.isPassing) retry = setTimeout(readAgain, pause, position, Math.min(longest, pause * 2));
      else if (problem.status === 401) location.reload(); // The account is gone, deleted elsewhere.
      else if (!problem.status) throw problem;
    }));
  }

  function mark() {
    const { list, threads } = wish();
    const isLive = Boolean(place) && (!list || open.has("list")) && (threads.length === 0 || open.has("threads"));
    if (document.body.dataset.live === "yes" && !isLive) closed?.();
    document.body.dataset.live = isLive ? "yes" : "no";
  }

  /** Whether what is said on the line of threads is about one of ours. */
  const isOurs = (event, data, threads) => event === "counts" || threads.includes(event.startsWith("post.") ? data.threadId : data.id);

  function hear(line, event, data) {
    if (!place) return;
    const wanted = wish();
    if (line === "list" ? !wanted.list : wanted.threads.length === 0) return;
    if (event === "closed") { open.delete(line); mark(); }
    else if (event === "open") { open.add(line); mark(); readAgain(data.position); }
    else if (event === "reset") readAgain(null);
    else if (heard[event] && (line === "list" || isOurs(event, data, wanted.threads))) inTurn(() => heard[event](data));
  }

  function start() {
    place ??= join(wish, hear);
    mark();
  }

  function stop() {
    clearTimeout(rest);
    clearTimeout(retry);
    place?.leave();
    place = null;
    open.clear();
    mark();
  }

  const restSoon = () => { rest = setTimeout(stop, patience); };

  let last = Date.now();
  /** Where the clock has jumped, the machine slept: a connection may be dead without anybody having said so. */
  setInterval(() => {
    const slept = Date.now() - last > longest;
    last = Date.now();
    if (slept) place?.wake(true);
  }, 5_000);

  setInterval(() => { if (!document.hidden) place?.check(); }, 15_000);

  // One that is opened beside waits until it is looked at.
  if (document.hidden) mark();
  else start();
  // A page that is put aside must not hold a connection; one that slept may hold a dead one.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => { if (event.persisted) start(); });
  addEventListener("online", () => { if (place) place.wake(true); else if (!document.hidden) start(); });
  document.addEventListener("session", () => { if (place) readAgain(null); });
  // A browser has few connections for all its tabs: one that nobody looks at gives its own back.
  document.addEventListener("visibilitychange", () => {
    clearTimeout(rest);
    if (document.hidden) restSoon();
    else if (place) place.wake(false);
    else start();
  });
  return () => { place?.again(); mark(); };
}

/** The newest items of a list, newest first: as many as are shown, and as far down as one of them; at most a thousand. */
async function newest(source, least, isShown, read) {
  const items = [];
  let cursor = null;
  const asked = new URL(source, location.href);
  asked.searchParams.set("limit", Math.min(100, least + 20));
  do {
    if (cursor) asked.searchParams.set("cursor", cursor);
    const page = await read(asked.pathname + asked.search);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < 1_000 && !(items.length >= least && items.some(({ id }) => isShown(id))));
  return items;
}

/**
 * Reads what a list shows once more, from a position: what is new arrives, what is shown is brought up to date, what is gone leaves.
 * @param {object} plan `kind`: `threads` or `posts`; `takesNew`: whether what is not shown belongs there; `arrive(item)`,
 *   `leave(id)`, `put(counts)`; `besides`: whose counts are wanted too.
 */
export async function catchUp(list, position, { kind, takesNew, arrive, leave, put, besides = {} }) {
  const read = (target) => getFresh(target, { position });
  const isEmpty = list.children.length === 0;
  const isKnown = (id) => isEmpty || !takesNew || shown(list, id);
  const items = await newest(list.dataset.source, Math.min(list.children.length, 1_000), isKnown, read);
  if (isEmpty && takesNew) add(list, items);
  const last = items.findLastIndex(({ id }) => shown(list, id));
  for (const [at, value] of [...items.entries()].reverse()) {
    if (shown(list, value.id)) update(list, value);
    // What is older than all that is shown comes when the list goes on.
    else if (takesNew && (at < last || last < 0 || !list.dataset.next)) arrive(value);
  }
  const rest = all("[data-id]", list).map((node) => node.dataset.id).filter((id) => !items.some((value) => value.id === id));
  if (rest.length === 0 && Object.keys(besides).length === 0) return;
  const found = await counts({ ...besides, [kind]: rest }, { position });
  for (const id of rest) if (!found[kind].some((value) => value.id === id)) leave(id);
  put(found);
}

/** The id that an event about something gone names. */
export const gone = (data) => typeof data === "string" ? data : data.id;
