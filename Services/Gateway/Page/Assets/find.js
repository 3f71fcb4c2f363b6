// Findings: by day, by words, by author; and what is nowhere.
import { find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { markDays } from "./daily.js";
import { keepFindings } from "./findings.js";
import { dayOf } from "./time.js";

const list = await frame();
const { thread, day, author } = document.body.dataset;

if (list && thread) {
  const belongs = (post) => !day || dayOf(post.date) === day;
  keepFindings(() => list, { thread, belongs, besides: (position) => markDays(thread, position) });
} else if (list && author) {
  keepFindings(() => list, { user: author, head: find(".head"), belongs: (post) => post.author.id === author });
} else if (list) keepFindings(() => list, {});
isReady();
