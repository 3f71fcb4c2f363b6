// Lists of findings, kept up to date: what is gone leaves, what is changed changes, and what belongs there comes.
import { all, find } from "./dom.js";
import { getFresh } from "./api.js";
import { add, remove, shown, update } from "./list.js";
import { catchUp, follow, gone } from "./live.js";
import { announce, isAnnounced, withdraw } from "./news.js";
import { putCounts } from "./render.js";
import { me } from "./session.js";

const phrase = "news.posts";
/** What others wrote is found within a second. */
const pause = 1_500;

/**
 * @param {function} place gives the list that is shown.
 * @param {object} plan `thread`: all are of that one; `belongs(post)`: whether a post that is not shown belongs there, left out where
 *   none is to come; `user` and `head`: whose counts stand where; `besides(position)`: what else is to be read again.
 */
export function keepFindings(place, { thread = null, belongs = null, user = null, head = null, besides = () => {} }) {
  let soon = null;
  const rows = () => place() ? all("[data-id]", place()) : [];
  const threads = () => thread ? [thread] : [...new Set(rows().map((node) => node.dataset.thread))].slice(0, 50);
  /** For which threads it was asked. */
  let asked = threads();

  function arrive(post) {
    if (post.author.id === me.id || rows().length === 0) add(place(), [post], true);
    else if (!isAnnounced(post.id)) announce(place(), [post], phrase);
  }

  function leave(id) {
    remove(place(), id);
    withdraw(place(), id, phrase);
  }

  function put({ posts = [] }) {
    for (const { id, ...values } of posts) {
      const row = shown(place(), id);
      if (row) putCounts(row, values);
    }
  }

  async function readUser(position) {
    if (!user) return;
    try {
      putCounts(head, await getFresh(`/v1/users/${user}`, { position }));
    } catch (problem) {
      if (problem.status !== 404) throw problem;
      location.reload();
    }
  }

  async function readAgain(position) {
    if (!place()) return;
    await Promise.all([
      catchUp(place(), position, { kind: "posts", takesNew: Boolean(belongs), arrive, leave, put }),
      readUser(position), besides(position),
    ]);
    ask();
  }

  /** What is heard of does not say all that it changes here. */
  function readSoon() {
    soon ??= setTimeout(() => {
      soon = null;
      readAgain(null).catch((problem) => { if (problem.isPassing) readSoon(); });
    }, pause);
  }

  function change(post) {
    const isRight = !belongs || belongs(post);
    if (shown(place(), post.id)) isRight ? update(place(), post) : leave(post.id);
    else if (isAnnounced(post.id)) isRight ? announce(place(), [post], phrase) : leave(post.id);
    else if (belongs && isRight) arrive(post);
  }

  const heard = {
    counts: put,
    // It may have come with posts in it.
    "thread.created": () => {},
    "post.created": change,
    "post.edited": change,
    "post.deleted": (data) => leave(gone(data)),
    "thread.edited"({ id, title }) {
      for (const node of rows()) if (node.dataset.thread === id) find("[data-f=threadTitle]", node).textContent = title;
    },
    "thread.deleted"(data) { for (const node of rows()) if (node.dataset.thread === gone(data)) leave(node.dataset.id); },
  };
  const hear = (action) => (data) => {
    if (!place()) return;
    action(data);
    if (user || thread) readSoon();
  };
  const again = follow(() => ({ list: Boolean(user), threads: asked }), {
    opened: readAgain, heard: Object.fromEntries(Object.entries(heard).map(([name, action]) => [name, hear(action)])),
  });

  /** Asks for what has come into the list besides. */
  function ask() {
    const now = threads();
    if (now.every((id) => asked.includes(id))) return;
    asked = now;
    again();
  }

  new MutationObserver(ask).observe(find("#main"), { childList: true, subtree: true });
}
