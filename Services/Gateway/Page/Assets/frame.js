// What every screen has.
import { all, find } from "./dom.js";
import { getFresh } from "./api.js";
import { listen } from "./acts.js";
import { endless, keepPlace } from "./list.js";
import { say } from "./status.js";
import { keepTimes } from "./time.js";
import { words } from "./words.js";

/** Sets a screen up; returns its list where it has one. */
export async function frame() {
  listen();
  retryAway();
  stayOffline();
  for (const input of all(".day input[type=date]")) input.addEventListener("change", () => { if (input.value) input.form.requestSubmit(); });
  find(".finder")?.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === "") formData.delete(name);
  });
  keepTimes();
  const list = find("ol.list[data-source]");
  if (list) { endless(list); await keepPlace(list).catch(() => {}); }
  return list;
}

/** Says that all of a screen works, to whoever waits for it. */
export const isReady = () => { document.body.dataset.ready = "yes"; performance.mark("ready"); };

/** Modules that a screen can be seen without: they are fetched when it stands, and again where that fails. */
export async function later(load) {
  for (let pause = 2_000; ; pause = Math.min(30_000, pause * 2)) {
    try {
      return await load();
    } catch {
      await new Promise((done) => setTimeout(done, pause));
    }
  }
}

/** Without a connection a link would lead to nothing, and take away what is still here. */
function stayOffline() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='/']");
    if (!link || navigator.onLine) return;
    event.preventDefault();
    say(words("offline.link"));
  });
}

/** Where a service was away when the page was made: asks until it is back, then reads the page again. */
async function retryAway() {
  if (!find("[data-away]")) return;
  const look = async () => {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-cache" }).catch(() => null);
    if (answer?.ok && !(await answer.text()).includes("data-away")) location.reload();
    else setTimeout(look, 4_000);
  };
  setTimeout(look, 2_000);
}

/** Counts of threads and posts, those of them that are still there; fifty of each are asked for at once. */
export async function counts({ threads = [], posts = [] }, options) {
  const found = { threads: [], posts: [] };
  for (let at = 0; at < Math.max(threads.length, posts.length); at += 50) {
    const [some, others] = [threads, posts].map((ids) => ids.slice(at, at + 50));
    const query = new URLSearchParams([...some.map((id) => ["thread", id]), ...others.map((id) => ["post", id])]);
    const answer = await getFresh(`/v1/counts?${query}`, options);
    found.threads.push(...answer.threads);
    found.posts.push(...answer.posts);
  }
  return found;
}
