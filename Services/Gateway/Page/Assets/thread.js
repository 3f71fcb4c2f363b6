// A thread and its posts.
import { all, find } from "./dom.js";
import { frame, isReady, later } from "./frame.js";
import { get } from "./api.js";
import { seen } from "./acts.js";
import { add, remove, shown, update } from "./list.js";
import { announce, isAnnounced, putWaitingCounts, withdraw } from "./news.js";
import { putCounts, putThumbnail } from "./render.js";
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
  if (!isLatest || shown(list, post.id) || isAnnounced(post.id)) return;
  if (post.author.id === me.id || list.children.length === 0) add(list, [seen(post)], true);
  else announce(list, [seen(post)], phrase);
}

function edit(post) {
  if (post.title === undefined) return;
  const card = shown(list, post.id);
  if (card) update(list, seen(post, card));
  else if (isAnnounced(post.id)) announce(list, [seen(post)], phrase);
}

function leave(id) {
  remove(list, id);
  withdraw(list, id, phrase);
}

/** The head is the gateway's own; its words and its picture are put in. */
function change(value) {
  find("h1", head).textContent = value.title;
  const lead = find(".lead", head);
  if (lead) lead.textContent = value.description;
  putThumbnail(head, value.image);
}

async function readHead(position) {
  try {
    const value = await get(`/v1/threads/${thread}`, { position });
    change(value);
    for (const own of all("[data-own]", head)) own.hidden = !value.canDelete;
  } catch (problem) {
    if (problem.status !== 404) throw problem;
    if (!document.body.dataset.leaving) location.reload();
  }
}

document.addEventListener("post-gone", ({ detail }) => {
  delete document.body.dataset.leaving;
  leave(detail);
});

isReady();

if (list) {
  const { catchUp, follow, gone } = await later(() => import("./live.js"));
  follow(() => ({ list: false, threads: [thread] }), {
    async opened(position) {
      find("#live").hidden = false;
      const plan = { kind: "posts", takesNew: isLatest, arrive, leave, put: putAll, besides: { threads: [thread] } };
      await Promise.all([catchUp(list, position, plan), readHead(position)]);
    },
    closed() { find("#live").hidden = true; },
    heard: {
      counts: putAll,
      "post.created": (post) => { if (post.title !== undefined) arrive(post); },
      "post.edited": edit,
      "thread.edited": change,
      "post.deleted": (data) => leave(gone(data)),
      "thread.deleted": (data) => { if (gone(data) === thread && !document.body.dataset.leaving) location.reload(); },
    },
  });
}
