// The list of threads.
import { all, find } from "./dom.js";
import { counts, frame, isReady } from "./frame.js";
import { getFresh } from "./api.js";
import { add, remove, shown, update } from "./list.js";
import { follow, gone, newest } from "./live.js";
import { announce, isAnnounced, withdraw } from "./news.js";
import { putCounts } from "./render.js";
import { keepTimes } from "./time.js";
import { me } from "./session.js";

const phrase = "news.threads";
const list = await frame();

function arrive(thread) {
  if (shown(list, thread.id)) update(list, thread);
  else if (thread.author.id === me.id) add(list, [thread], true);
  else announce(list, [thread], phrase);
}

const isLatest = list && !new URLSearchParams(location.search).get("cursor") && list.dataset.source.includes("order=latest");

async function readAgain(position) {
  const source = list.dataset.source.replace(/&limit=\d+/, "");
  const isEmpty = list.children.length === 0;
  const items = await newest(source, (id) => isEmpty || !isLatest || shown(list, id), (target) => getFresh(target, { position }));
  for (const thread of [...items].reverse()) {
    if (shown(list, thread.id)) update(list, thread);
    else if (isLatest && !isAnnounced(thread.id)) arrive(thread);
  }
  const threads = all("[data-id]", list).map((node) => node.dataset.id).filter((id) => !items.some((thread) => thread.id === id));
  if (threads.length === 0) return;
  const found = await counts({ threads }, { position });
  for (const id of threads) if (!found.threads.some((thread) => thread.id === id)) leave(id);
  putAll(found);
}

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

if (list) {
  follow("/v1/live", {
    async opened(position) {
      await readAgain(position).catch(() => {});
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

find(".orders [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
isReady();
