// What the buttons of posts and threads do.
import { words } from "./words.js";
import { all, element, find } from "./dom.js";
import { getFresh, send } from "./api.js";
import { act, me } from "./session.js";
import { ask, say } from "./status.js";
import { toggleLike } from "./like.js";

/** Hands a file to the browser to keep. */
export function keep(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** The name that an answer gives its file. */
export function fileName(response, otherwise) {
  const header = response.headers.get("Content-Disposition") ?? "";
  const coded = header.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  return coded ? decodeURIComponent(coded) : header.match(/filename="([^"]+)"/)?.[1] ?? otherwise;
}

async function share(button) {
  const url = new URL(button.dataset.address, location.href).href;
  const place = button.closest("article, .thread-head");
  const title = find("[data-f=title], h1", place)?.textContent ?? document.title;
  try {
    if (navigator.share) await navigator.share({ title, url });
    else { await navigator.clipboard.writeText(url); say(words("share.done")); }
  } catch (error) {
    if (error.name !== "AbortError") say(url);
  }
}

async function saveTextPack(post) {
  const response = await send("GET", `/v1/posts/${post.dataset.id}/textpack`, { patience: 90_000 });
  keep(await response.blob(), fileName(response, `${post.dataset.id}.textpack`));
}

/** Deletes, once that is confirmed. Returns whether it is gone. */
async function remove(target, title, text) {
  if (!(await ask(title, text, words("delete")))) return false;
  // The stream may tell of it before the answer does.
  document.body.dataset.leaving = "yes";
  try {
    return (await act(() => send("DELETE", target))) !== null;
  } catch (problem) {
    delete document.body.dataset.leaving;
    if (problem.status === 404) return true;
    say(problem.status === 403 ? words("delete.failed") : problem.message, true);
    return false;
  }
}

async function deletePost(post) {
  const isGone = await remove(`/v1/posts/${post.dataset.id}`, words("delete.ask"), words("delete.ask.text"));
  if (isGone) document.dispatchEvent(new CustomEvent("post-gone", { detail: post.dataset.id }));
}

async function deleteThread(head) {
  const isGone = await remove(`/v1/threads/${head.dataset.id}`, words("thread.delete.ask"), words("thread.delete.ask.text"));
  if (isGone) location.replace("/");
}

const acts = {
  like: (button) => toggleLike(button.closest("[data-id]")),
  share,
  textpack: (button) => saveTextPack(button.closest("[data-id]")),
  "delete-post": (button) => deletePost(button.closest("[data-id]")),
  "delete-thread": (button) => deleteThread(button.closest("[data-id]")),
};

/** Listens for the buttons of the whole page, those that come later too. */
export function listen() {
  document.addEventListener("click", (event) => {
    for (const menu of all("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
    const button = event.target.closest("[data-act]");
    if (!button || button.closest("[inert]")) return;
    const menu = button.closest("details.menu[open]");
    // The button goes with its menu; what asks next gives the focus back to where it was.
    if (menu) { menu.open = false; find("summary", menu).focus(); }
    acts[button.dataset.act](button)?.catch?.((problem) => say(problem.message, true));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of all("details.menu[open]")) { menu.open = false; find("summary", menu).focus(); }
  });
}

/** A post from the stream, which does not know who listens, as its reader sees it; `card` shows it already. */
export const seen = (post, card = null) => ({
  ...post, canDelete: post.author.id === me.id,
  likedByMe: card ? find("[data-act=like]", card).getAttribute("aria-pressed") === "true" : post.likedByMe,
});

/** The posts of the page as their reader sees them, where the page came without knowing who that is. */
export const fresh = (id, options) => getFresh(`/v1/posts/${id}`, options);
