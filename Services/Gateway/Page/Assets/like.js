// The heart: it answers at once, then with what the server says. A count is set, never added to.
import { count } from "./words.js";
import { find } from "./dom.js";
import { send } from "./api.js";
import { act } from "./session.js";
import { putCounts } from "./render.js";
import { say } from "./status.js";

/** What is wanted of each post that is under way; the last press counts. */
const wishes = new Map();

function show(post, isLiked, likeCount) {
  find("[data-act=like]", post).setAttribute("aria-pressed", String(isLiked));
  if (likeCount !== undefined) putCounts(post, { likeCount });
}

/** Likes a post, or takes the like back. Presses while one is under way are heard after it. */
export async function toggleLike(post) {
  const { id } = post.dataset;
  const button = find("[data-act=like]", post);
  const place = find("[data-f=likeCount]", post);
  const wanted = !(wishes.get(id) ?? button.getAttribute("aria-pressed") === "true");
  const before = place.textContent;
  const number = Number(before.replaceAll(",", ""));
  show(post, wanted, Number.isNaN(number) ? undefined : Math.max(0, number + (wanted ? 1 : -1)));
  const isUnderWay = wishes.has(id);
  wishes.set(id, wanted);
  if (isUnderWay) return;
  // What is read of it meanwhile is older than this.
  post.dataset.busy = "yes";
  try {
    let like = null;
    while (like?.liked !== wishes.get(id)) {
      const response = await act(() => send(wishes.get(id) ? "PUT" : "DELETE", `/v1/posts/${id}/like`));
      if (!response) { show(post, !wanted); place.textContent = before; return; }
      like = await response.json();
    }
    show(post, like.liked, like.likeCount);
  } catch (problem) {
    show(post, !wanted);
    place.textContent = before || count(null);
    say(problem.message);
  } finally {
    wishes.delete(id);
    delete post.dataset.busy;
  }
}
