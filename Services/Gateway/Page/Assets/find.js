// Findings: by day, by words, by author; and what is nowhere.
import { find } from "./dom.js";
import { frame, isReady, later } from "./frame.js";
import { dayOf } from "./time.js";

const list = await frame();
const { thread, day, author } = document.body.dataset;
isReady();

if (list) {
  const [{ keepFindings }, { markDays }] = await later(() => Promise.all([import("./findings.js"), import("./daily.js")]));
  if (thread) {
    const belongs = (post) => !day || dayOf(post.date) === day;
    keepFindings(() => list, { thread, belongs, besides: (position) => markDays(thread, position) });
  } else if (author) {
    keepFindings(() => list, { user: author, head: find(".head"), belongs: (post) => post.author.id === author });
  } else keepFindings(() => list, {});
}
