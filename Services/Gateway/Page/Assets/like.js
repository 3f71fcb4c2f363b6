// The heart: it answers at once, then with what the server says. A count is set, never added to.
import { count } from "./words.js";
import { find } from "./dom.js";
import { send } from "./api.js";
import { act } from "./session.js";
import { putCounts } from "./render.js";
import { say } from "./status.js";

const underWay = new Set();

function show(post, isLiked, likeCount) {
  find("[data-act=like]", post).setAttribute("aria-pressed", String(isLiked));
  if (likeCount !== undefined) putCounts(post, { likeCount });
}

/** Likes a post, or takes the like back. Presses while one is under way are heard after it. */
export async function toggleLike(post) {
  const { id } = post.dataset;
  const button = find("[data-act=like]", post);
  const wanted = button.getAttribute("aria-pressed") !== "true";
  const before = find("[data-f=likeCount]", post).textContent;
  const number = Number(before.replaceAll(",", ""));
  show(post, wanted, Number.isNaN(number) ? undefined : Math.max(0, number + (wanted ? 1 : -1)));
  if (underWay.has(id)) return;
  underWay.add(id);
  try {
    let like = null;
    while (like?.liked !== (button.getAttribute("aria-pressed") === "true")) {
      const target = button.getAttribute("aria-pressed") === "true";
      const response = await act(() => send(target ? "PUT" : "DELETE", `/v1/posts/${id}/like`));
      if (!response) { show(post, !wanted); find("[data-f=likeCount]", post).textContent = before; return; }
      like = await response.json();
    }
    show(post, like.liked, like.likeCount);
  } catch (problem) {
    show(post, !wanted);
    find("[data-f=likeCount]", post).textContent = before || count(null);
    say(problem.message);
  } finally {
    underWay.delete(id);
  }
}
