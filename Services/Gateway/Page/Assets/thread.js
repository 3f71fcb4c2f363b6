// A thread and its posts.
import { all, find } from "./dom.js";
import { counts, frame, isReady } from "./frame.js";
import { getFresh } from "./api.js";
import { add, remove, shown, update } from "./list.js";
import { follow, gone } from "./live.js";
import { announce, isAnnounced, putWaitingCounts, withdraw } from "./news.js";
import { putCounts } from "./render.js";
import { me } from "./session.js";

const phrase = "news.posts";
const thread = document.body.dataset.thread;
const isLatest = document.body.dataset.order === "latest" && !new URLSearchParams(location.search).get("cursor");
const list = await frame();
const head = find(".thread-head");

function putAll({ threads = [], posts = [] }) {
  for (const { id, ...values } of threads) if (id === thread) putCounts(head, values);
  for (const { id, ...values } of posts) {
    const card = shown(list, id);
    if (card) putCounts(card, values);
    else putWaitingCounts({ id, ...values });
  }
}

function arrive(post) {
  if (post.threadId !== thread || shown(list, post.id) || isAnnounced(post.id)) return;
  if (!isLatest) return;
  if (post.author.id === me.id || list.children.length === 0) add(list, [post], true);
  else announce(list, [post], phrase);
}

function leave(id) {
  remove(list, id);
  withdraw(list, id, phrase);
}

async function readAgain(position) {
  const page = await getFresh(`/v1/threads/${thread}/posts?order=latest&limit=20`, { position });
  for (const post of page.items) {
    if (shown(list, post.id)) update(list, post);
    else arrive(post);
  }
  const posts = all("[data-id]", list).map((node) => node.dataset.id).filter((id) => !page.items.some((post) => post.id === id));
  putAll(await counts({ threads: [thread], posts }, { position }));
}

document.addEventListener("post-gone", ({ detail }) => {
  delete document.body.dataset.leaving;
  leave(detail);
});

if (list) {
  follow(`/v1/live?thread=${thread}`, {
    async opened(position) {
      find("#live").hidden = false;
      await readAgain(position).catch(() => {});
    },
    closed() { find("#live").hidden = true; },
    heard: {
      counts: putAll,
      "post.created": (post) => { if (post.title !== undefined) arrive(post); },
      "post.deleted": (data) => leave(gone(data)),
      "thread.deleted": (data) => { if (gone(data) === thread && !document.body.dataset.leaving) location.reload(); },
    },
  });
}
isReady();
