// What is new is announced, so that nothing moves under a reader.
import { words } from "./words.js";
import { element, find, icon } from "./dom.js";
import { add } from "./list.js";

const waiting = new Map();

/** Announces items; on the press of the button they are put at the top of the list. */
export function announce(list, items, phrase) {
  for (const value of items) waiting.set(value.id, value);
  show(list, phrase);
}

/** Takes one back that is gone before it was looked at. */
export function withdraw(list, id, phrase) {
  if (waiting.delete(id)) show(list, phrase);
}

export const isAnnounced = (id) => waiting.has(id);

export const putWaitingCounts = ({ id, ...values }) => { if (waiting.has(id)) Object.assign(waiting.get(id), values); };

/** Here before it has anything to say, or it would not be read out. */
const place = find("#news") ?? element("div", { class: "news", id: "news", role: "status" });
if (!place.isConnected) find("[data-empty]")?.before(place);

function show(list, phrase) {
  if (waiting.size === 0) { place.replaceChildren(); return; }
  const text = words(phrase, { n: waiting.size });
  const press = () => {
    const fresh = [...waiting.values()].sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
    waiting.clear();
    place.replaceChildren();
    add(list, fresh, true);
    list.scrollIntoView({ block: "start" });
    find("a[href]", list)?.focus({ preventScroll: true });
  };
  place.replaceChildren(element("button", { type: "button", class: "button main", click: press }, icon("up"), text));
}
