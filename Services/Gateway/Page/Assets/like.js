// The heart: it answers at once, then with what the server says. A count is set, never added to.
import { count } from "./words.js";
import { find } from "./dom.js";
import { send } from "./api.js";
import { act } from "./session.js";
import { putLike } from "./render.js";
import { say } from "./status.js";

/** What is wanted of each post that is under way; the last press counts. */
const wishes = new Map();

/** Likes a post, or takes the like back. Presses while one is under way are heard after it. */
export async function toggleLike(post) {
  const { id } = post.dataset;
  const isPressed = find("[data-act=like]", post).getAttribute("aria-pressed") === "true";
  const shown = find("[data-f=likeCount]", post).textContent;
  const number = Number(shown.replaceAll(",", ""));
  const wanted = !(wishes.get(id) ?? isPressed);
  const isUnderWay = wishes.has(id);
  wishes.set(id, wanted);
  // What is read of it meanwhile is older than this: it must change neither the heart nor the wish.
  post.dataset.busy = "yes";
  putLike(post, wanted, Number.isNaN(number) ? shown : count(Math.max(0, number + (wanted ? 1 : -1))));
  if (isUnderWay) return;
  let known = { liked: isPressed, likeCount: Number.isNaN(number) ? null : number };
  try {
    do {
      const response = await act(() => send(wishes.get(id) ? "PUT" : "DELETE", `/v1/posts/${id}/like`));
      if (!response) break;
      known = await response.json();
    } while (known.liked !== wishes.get(id));
  } catch (problem) {
    say(problem.message, true);
  } finally {
    wishes.delete(id);
    delete post.dataset.busy;
    putLike(post, known.liked, count(known.likeCount));
  }
}
