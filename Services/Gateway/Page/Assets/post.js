// One post.
import { find } from "./dom.js";
import { frame, isReady, later } from "./frame.js";
import { fresh, seen } from "./acts.js";
import { fillPost, putCounts } from "./render.js";

await frame();
const card = find("article.post");

const { id, thread } = card?.dataset ?? {};
document.addEventListener("post-gone", () => location.replace(`/threads/${thread}`));
isReady();

if (card) {
  const { follow, gone } = await later(() => import("./live.js"));
  follow(() => ({ list: false, threads: [thread] }), {
    async opened(position) {
      try {
        fillPost(card, await fresh(id, { position }), true);
      } catch (problem) {
        if (problem.status !== 404) throw problem;
        if (!document.body.dataset.leaving) location.reload();
      }
    },
    heard: {
      counts({ posts = [] }) {
        for (const post of posts) if (post.id === id) putCounts(card, { likeCount: post.likeCount });
      },
      "post.edited": (post) => { if (post.id === id && post.title !== undefined) fillPost(card, seen(post, card), true); },
      "thread.edited": ({ title }) => { find("[data-f=threadTitle]").textContent = title; },
      "thread.deleted"() { if (!document.body.dataset.leaving) location.reload(); },
      "post.deleted": (data) => { if (gone(data) === id && !document.body.dataset.leaving) location.reload(); },
    },
  });
}
