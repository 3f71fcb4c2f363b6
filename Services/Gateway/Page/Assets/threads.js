// The list of threads.
import { find } from "./dom.js";
import { frame, isReady, later } from "./frame.js";
import { add, remove, shown, update } from "./list.js";
import { announce, isAnnounced, withdraw } from "./news.js";
import { putCounts } from "./render.js";
import { keepTimes } from "./time.js";
import { me } from "./session.js";

const phrase = "news.threads";
const list = await frame();

function arrive(thread) {
  if (shown(list, thread.id)) update(list, thread);
  else if (thread.author.id === me.id || list.children.length === 0) add(list, [thread], true);
  else announce(list, [thread], phrase);
}

const isLatest = list && !new URLSearchParams(location.search).get("cursor") && list.dataset.source.includes("order=latest");

function putAll({ threads = [] }) {
  for (const { id, ...values } of threads) {
    const row = shown(list, id);
    if (row) putCounts(row, values);
  }
}

function leave(id) {
  remove(list, id);
  withdraw(list, id, phrase);
}

find(".orders [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
isReady();

if (list) {
  const { catchUp, follow, gone } = await later(() => import("./live.js"));
  follow(() => ({ list: true, threads: [] }), {
    async opened(position) {
      await catchUp(list, position, { kind: "threads", takesNew: isLatest, arrive, leave, put: putAll });
      keepTimes.now();
    },
    heard: {
      counts: putAll,
      "thread.created": (thread) => { if (isLatest && thread.title !== undefined) arrive(thread); },
      "thread.edited"(thread) {
        if (thread.title === undefined) return;
        if (shown(list, thread.id)) update(list, thread);
        else if (isAnnounced(thread.id)) announce(list, [thread], phrase);
        keepTimes.now();
      },
      "thread.deleted": (data) => leave(gone(data)),
    },
  });
}
