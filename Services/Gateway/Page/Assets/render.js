// Posts and threads as markup: the page's own templates, filled in. What is stored and what is being written go through here alike.
import { count, words } from "./words.js";
import { element, find, icon } from "./dom.js";
import { agoText, momentText } from "./time.js";
import { excerpt } from "./text.js";

const part = (node, name) => node.matches(`[data-f="${name}"]`) ? node : find(`[data-f="${name}"]`, node);

function put(node, name, text) {
  const place = part(node, name);
  if (place && place.textContent !== text) place.textContent = text;
}

function show(node, name, isShown) {
  const place = part(node, name);
  if (place) place.hidden = !isShown;
}

function putTime(node, moment, inWords = momentText) {
  const place = part(node, "date");
  place.dateTime = moment;
  place.textContent = inWords(moment);
}

/** Width and height of a picture as it is shown: within 700 × 500, never enlarged. */
function shownSize({ width, height }) {
  const scale = Math.min(1, 700 / width, 500 / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function putPicture(node, image) {
  const frame = part(node, "picture");
  if (!frame) return;
  if ((find("img", frame)?.getAttribute("src") ?? frame.dataset.gone) === image?.displayUrl) return;
  delete frame.dataset.gone;
  frame.classList.toggle("none", !image);
  frame.replaceChildren(image ? element("img", {
    src: image.displayUrl, ...shownSize(image), alt: words("picture.alt"), loading: "lazy", decoding: "async",
  }) : icon("picture"));
}

export function putThumbnail(node, image) {
  const place = part(node, "thumb");
  if (image && (find("img", place)?.getAttribute("src") ?? place.dataset.gone) === image.thumbnailUrl) return;
  delete place.dataset.gone;
  place.classList.toggle("none", !image);
  place.replaceChildren(image
    ? element("img", { src: image.thumbnailUrl, width: 72, height: 72, alt: "", loading: "lazy", decoding: "async" })
    : icon("picture"));
}

/** Absolute values, wherever they come from: nothing is ever added up here. A post whose heart is under way keeps what it shows. */
export function putCounts(node, { postCount, likeCount }) {
  if (postCount !== undefined) put(node, "postCount", count(postCount));
  if (likeCount !== undefined && !node.dataset.busy) put(node, "likeCount", count(likeCount));
}

/** Whether its reader likes a post, and the count beside it as a text. */
export function putLike(node, isLiked, text) {
  find("[data-act=like]", node).setAttribute("aria-pressed", String(isLiked));
  put(node, "likeCount", text);
}

function fillRow(node, item, path) {
  node.href = `${path}/${item.id}`;
  node.dataset.id = item.id;
  put(node, "title", item.title);
  put(node, "author", item.author.displayName);
  putThumbnail(node, item.image);
  putCounts(node, item);
}

const filled = (text) => text.split("\n").filter(Boolean);
/** In half the width of a kanji, roughly. */
const width = (character) => character.codePointAt(0) < 0x1100 ? 1 : 2;

function fillThread(node, thread) {
  fillRow(node, thread, "/threads");
  put(node, "description", excerpt(filled(thread.description).join(" "), { lines: 1, characters: 180, width }));
  show(node, "kind", thread.kind === "dailyReport");
  putTime(node, thread.lastPostedAt ?? thread.createdAt, agoText);
}

function fillFinding(node, post) {
  fillRow(node, post, "/posts");
  node.dataset.thread = post.threadId;
  put(node, "body", excerpt(filled(post.body).join("\n"), { lines: 3, characters: 270, width }));
  put(node, "threadTitle", post.threadTitle);
  putTime(node, post.date);
}

/** Fills in a post; `isFull` where all of its text is shown. */
export function fillPost(node, post, isFull = false) {
  const path = `/posts/${post.id}`;
  const body = isFull ? post.body : excerpt(post.body, { lines: 14, characters: 500 });
  node.id = `post-${post.id}`;
  node.dataset.id = post.id;
  node.dataset.version = post.version;
  put(node, "face", [...new Intl.Segmenter().segment(post.author.displayName)][0]?.segment ?? "");
  put(node, "author", post.author.displayName);
  part(node, "author").href = `/users/${post.author.id}`;
  part(node, "byAuthor").href = `/search?author=${post.author.id}`;
  putTime(node, post.date);
  show(node, "edited", post.editedAt !== null);
  put(node, "title", post.title);
  if (part(node, "title").localName === "a") part(node, "title").href = path;
  put(node, "body", body);
  show(node, "more", body !== post.body);
  if (part(node, "more")) part(node, "more").href = path;
  putPicture(node, post.image);
  if (!node.dataset.busy) putLike(node, post.likedByMe === true, count(post.likeCount));
  find("[data-act=share]", node).dataset.address = path;
  part(node, "edit").href = `${path}/edit`;
  for (const own of node.querySelectorAll("[data-own]")) own.hidden = !post.canDelete;
}

const fillings = { "thread-row": fillThread, "post-row": fillFinding, "post-card": fillPost };

/** A list's item for a post or thread. */
export function item(kind, value) {
  const node = find(`template#${kind}`).content.firstElementChild.cloneNode(true);
  fillings[kind](node, value);
  return element("li", {}, node);
}

/** Brings an item that is shown up to date. */
export function refill(kind, node, value) {
  fillings[kind](node, value);
}

/** A picture that does not come leaves its place as it is, and says so. */
function leavePlace(image) {
  const place = image.closest(".frame, .thumb");
  if (!place) return;
  place.classList.add("none");
  place.dataset.gone = image.getAttribute("src");
  const { width, height } = image;
  const isNamed = place.matches(".frame"); // A thumbnail says nothing that does not stand beside it.
  const box = element("span", {
    class: "gone", title: words("picture.gone"), ...(isNamed ? { role: "img", "aria-label": words("picture.gone") } : {}),
  }, icon("picture"));
  image.replaceWith(box);
  if (isNamed) Object.assign(box.style, { width: `${width}px`, height: `${height}px` });
}

document.addEventListener("error", ({ target }) => { if (target.localName === "img") leavePlace(target); }, true);
for (const image of document.images) if (image.complete && image.naturalWidth === 0) leavePlace(image);
