// Lists that go on by themselves and keep their place on Back.
import { words } from "./words.js";
import { all, element, find } from "./dom.js";
import { get } from "./api.js";
import { item, refill } from "./render.js";

const memory = `list ${location.pathname}${location.search}`;

/** What is shown of an item, by its id. */
export const shown = (list, id) => find(`[data-id="${CSS.escape(id)}"]`, list);

export const count = (list) => list.children.length;

/** Findings stand by their date, the newest first, and those of the same by their id. */
const isByDate = (list) => list.dataset.source.startsWith("/v1/posts?");

function isBefore(node, { date, id }) {
  const other = Date.parse(find("time", node).dateTime);
  return other === Date.parse(date) ? find("[data-id]", node).dataset.id > id : other > Date.parse(date);
}

/** Puts an item where its date belongs, unless that is beyond what is shown. */
function putByDate(list, value) {
  const after = [...list.children].find((node) => !isBefore(node, value));
  if (after || !list.dataset.next) list.insertBefore(item(list.dataset.list, value), after ?? null);
}

/** Adds items that are not there yet: new ones, or those that follow at the end. */
export function add(list, items, isNew = false) {
  const fresh = items.filter(({ id }) => !shown(list, id));
  if (isNew && isByDate(list)) for (const value of fresh) putByDate(list, value);
  else list[isNew ? "prepend" : "append"](...fresh.map((value) => item(list.dataset.list, value)));
  settle(list);
}

export function update(list, value) {
  const node = shown(list, value.id);
  if (node) refill(list.dataset.list, node, value);
}

export function remove(list, id) {
  shown(list, id)?.closest("li").remove();
  settle(list);
}

/** Shows either the list or what stands where there is nothing. */
function settle(list) {
  const isEmpty = list.children.length === 0;
  list.hidden = isEmpty;
  const place = list.previousElementSibling;
  if (place?.matches("[data-empty]")) place.hidden = !isEmpty;
}

const skeleton = () => element("li", { class: "waiting", "aria-hidden": "true" },
  element("div", { class: "row" }, element("span", { class: "thumb skeleton" }),
    element("div", {}, ...["wide", "full", "half"].map((size) => element("div", { class: `skeleton bar ${size}` })))));

const underWay = new WeakMap();

/** Fetches the next page into the list, once however many ask for it. */
function goOn(list) {
  const going = underWay.get(list) ?? fetchNext(list).finally(() => underWay.delete(list));
  underWay.set(list, going);
  return going;
}

async function fetchNext(list) {
  const { source, next } = list.dataset;
  if (!next) return;
  const waiting = [skeleton(), skeleton()];
  list.append(...waiting);
  try {
    const page = await get(`${source}&cursor=${encodeURIComponent(next)}`);
    waiting.forEach((node) => node.remove());
    add(list, page.items);
    if (page.nextCursor) list.dataset.next = page.nextCursor;
    else delete list.dataset.next;
  } finally {
    waiting.forEach((node) => node.remove());
  }
}

/** Lets a list go on when its end comes near. Where that fails, the link is there to be pressed, and it is tried again after growing pauses. */
export function endless(list) {
  const more = list.nextElementSibling?.matches(".more") ? list.nextElementSibling : null;
  if (!more) return;
  let pause = 2_000;
  let retry = null;
  const press = async (event) => {
    event?.preventDefault();
    clearTimeout(retry);
    retry = null;
    watch.unobserve(more);
    try {
      await goOn(list);
      pause = 2_000;
      if (list.dataset.next) watch.observe(more);
    } catch {
      retry = setTimeout(() => watch.observe(more), pause);
      pause = Math.min(60_000, pause * 2);
    }
    more.hidden = !list.dataset.next;
  };
  const watch = new IntersectionObserver(([entry]) => { if (entry.isIntersecting) press(); }, { rootMargin: "600px" });
  find("a", more).addEventListener("click", press);
  addEventListener("online", () => { if (retry !== null) press(); });
  more.hidden = !list.dataset.next;
  watch.observe(more);
}

/** Remembers what was at the top of the window, and goes back there with as many items as there were. */
export async function keepPlace(list) {
  history.scrollRestoration = "manual";
  addEventListener("pagehide", () => {
    const first = all("[data-id]", list).find((node) => node.getBoundingClientRect().bottom > 60);
    const place = { count: count(list), id: first?.dataset.id, top: first?.getBoundingClientRect().top, scroll: scrollY };
    sessionStorage.setItem(memory, JSON.stringify(place));
  });
  const kind = performance.getEntriesByType("navigation")[0]?.type;
  const place = JSON.parse(sessionStorage.getItem(memory) ?? "null");
  if (!place || (kind !== "back_forward" && kind !== "reload")) return;
  while (count(list) < place.count && list.dataset.next) await goOn(list);
  const node = place.id && shown(list, place.id);
  if (node) scrollBy(0, node.getBoundingClientRect().top - place.top);
  else scrollTo(0, place.scroll);
}

/** A list that a script starts: its place, its empty state, and the link to go on. */
export async function begin(place, { kind, source, empty }) {
  const list = element("ol", { class: "list", "data-list": kind, "data-source": source });
  list.append(skeleton(), skeleton(), skeleton());
  place.replaceChildren(element("div", { "data-empty": true, hidden: true }, empty), list,
    element("p", { class: "more", hidden: true }, element("a", { class: "button", href: "#" }, words("more"))));
  const page = await get(source);
  list.replaceChildren();
  if (page.nextCursor) list.dataset.next = page.nextCursor;
  add(list, page.items);
  endless(list);
}
