// The days of the week that have reports.
import { words } from "./words.js";
import { all, element, find } from "./dom.js";
import { getFresh } from "./api.js";
import { dayOf } from "./time.js";

const dayIn = (link) => new URL(link.href).searchParams.get("date");

function mark(link, isWritten) {
  if (link.classList.contains("has") === isWritten) return;
  link.classList.toggle("has", isWritten);
  if (isWritten) link.append(element("span", { class: "hidden" }, ` ${words("daily.has")}`));
  else find(".hidden", link)?.remove();
}

/** Marks the days again, from a position. A week that is written in very much keeps the marks that it had. */
export async function markDays(thread, position) {
  const links = all(".week a");
  if (links.length === 0) return;
  const days = links.map(dayIn);
  const end = new Date(Date.parse(`${days.at(-1)}T00:00:00+09:00`) + 86_400_000).toISOString();
  const week = new URLSearchParams({ thread, from: `${days[0]}T00:00:00.000+09:00`, to: end, limit: 100 });
  const { items, nextCursor } = await getFresh(`/v1/posts?${week}`, { position });
  const written = new Set(items.map(({ date }) => dayOf(date)));
  for (const link of links) mark(link, written.has(dayIn(link)) || Boolean(nextCursor && link.classList.contains("has")));
}
