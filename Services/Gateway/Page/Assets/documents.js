// Documents from the reader's own disk: opened, changed beside their preview, saved back, or posted.
import { words } from "./words.js";
import { element, find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { get, send } from "./api.js";
import { act } from "./session.js";
import { draft as draftOf, keyOf } from "./draft.js";
import { keep } from "./acts.js";
import { sayField, showCount, unwritten } from "./form.js";
import { item } from "./render.js";
import { pictureField } from "./picture.js";
import { sending } from "./sending.js";
import { fault, rules } from "./text.js";
import { open, pack, parts, saved } from "./textpack.js";
import { TooLarge } from "./zip.js";

await frame();
const form = find("#form");
const says = find("#file-says");
const button = find("#send");
const into = find("#into");
const kept = draftOf("document");
const keptFile = draftOf("document file");
const titleRule = { least: Number(document.body.dataset.least), most: Number(document.body.dataset.most) };
let name = "document.textpack";
let threads = [];
/** What was opened, to be given back whole; null for a new document. Its picture is its own until another is picked. */
let original = null;
let isOwnPicture = false;
/** What is known of attempts to post it: the keys of this content, one for each thread, and whether an answer is still out. */
let sent = {};
let isTouched = false;
const before = kept.load();
/** The thread to post into: what waits to be sent goes where it was sent. */
const asked = new URLSearchParams(location.search).get("thread");
const wanted = before?.sent?.isWaiting ? before.into : asked ?? before?.into;

const isDaily = () => threads.find(({ id }) => id === into.value)?.kind === "dailyReport";

function faultOf({ title, body }) {
  if (!(isDaily() && title === "")) {
    const wrong = fault(title, titleRule);
    if (wrong) return `${words("title")}: ${wrong}`;
  }
  return fault(body, rules.body);
}

function show() {
  const text = form.elements.text.value;
  const { title, body } = parts(text);
  showCount(form, "text", rules.body);
  const wrong = faultOf({ title, body });
  sayField(form, "text", isTouched ? wrong : null);
  button.disabled = Boolean(wrong) || picture.isBusy || !into.value || line.state !== "writing";
  const list = find("#preview");
  list.inert = true;
  list.replaceChildren(item("post-card", { ...unwritten(), title, body, date: new Date().toISOString(), image: picture.image }));
}

const save = () => kept.save({ text: form.elements.text.value, name, isOwnPicture, into: into.value || wanted, sent });

function changed() {
  line.rest();
  delete sent.isWaiting;
  if (line.state === "writing") find("#form-says").textContent = "";
  const isKept = save();
  if (!isKept) find("#form-says").textContent = words("draft.unsaved");
  show();
}

const picture = pictureField(form, (isByHand) => {
  if (isByHand) { isOwnPicture = false; sent = {}; }
  kept.savePicture(picture.blob);
  changed();
});

/** `known`: what is known of attempts to send it. */
async function start(text, blob, document, known = {}) {
  form.hidden = false;
  sent = known;
  form.elements.text.value = text;
  if (blob) await picture.take(blob, false);
  else picture.clear();
  original = document;
  isOwnPicture = Boolean(document?.isOwnPicture ?? document);
  changed();
  find("#text").focus();
}

/** The document for the reader's disk: only what was changed is another. */
function packed() {
  const text = form.elements.text.value;
  return original ? saved(original, text, isOwnPicture ? undefined : picture.blob) : pack(text, picture.blob);
}

async function take(file) {
  says.textContent = "";
  try {
    const document = await open(file);
    name = file.name;
    isTouched = true;
    await keptFile.savePicture(file);
    await start(document.text, document.picture, document);
  } catch (error) {
    says.textContent = words(error instanceof TooLarge ? "documents.large" : "documents.wrong");
  }
}

async function listThreads() {
  try {
    threads = (await get("/v1/threads?order=active&limit=100")).items;
    // One that is asked for may be among the quiet ones.
    if (wanted && threads.every(({ id }) => id !== wanted)) {
      await get(`/v1/threads/${wanted}`).then((thread) => threads.unshift(thread), (problem) => { if (problem.isPassing) throw problem; });
    }
  } catch {
    setTimeout(listThreads, 4_000);
    return;
  }
  into.replaceChildren(...threads.map(({ id, title }) => element("option", { value: id }, title)));
  if (threads.some(({ id }) => id === wanted)) into.value = wanted;
  show();
}

async function post() {
  const text = form.elements.text.value;
  const { blob } = picture;
  const body = await pack(text, blob);
  const target = `/v1/threads/${into.value}/posts/import`;
  const answer = await act(() => {
    const key = keyOf(sent, text, target);
    sent.isWaiting = true;
    save();
    return send("POST", target, { body, type: "application/zip", key });
  });
  if (!answer) return false;
  const made = await answer.json();
  if (form.elements.text.value === text && picture.blob === blob) await Promise.all([kept.clear(), keptFile.clear()]);
  else { sent = {}; save(); }
  location.assign(`/posts/${made.id}`);
  return true;
}

const line = sending({
  attempt: post,
  refused(problem, isWaiting) {
    sent.isWaiting = isWaiting;
    save();
    find("#form-says").textContent = isWaiting ? words("send.later") : problem.kind === "duplicate-post" ? words("duplicate") : problem.message;
    find("#form-says").scrollIntoView({ block: "nearest" });
  },
  changed() {
    if (line.state === "sending") find("#form-says").textContent = "";
    show();
  },
});

find("#file").addEventListener("change", ({ target }) => { if (target.files[0]) take(target.files[0]); target.value = ""; });
find("#new").addEventListener("click", async () => {
  name = "document.textpack";
  isTouched = false;
  await keptFile.clear();
  await start("# ", null, null);
});
const drop = find("#file-drop");
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
form.addEventListener("input", () => { isTouched = true; changed(); });
form.addEventListener("submit", (event) => { event.preventDefault(); if (!button.disabled) line.go(); });
find("#save").addEventListener("click", async () => keep(await packed(), name));

if (before) {
  name = before.name;
  const file = await keptFile.picture();
  const document = file ? await open(file).catch(() => null) : null;
  const isWaiting = before.sent?.isWaiting;
  await start(before.text, await kept.picture(), document && { ...document, isOwnPicture: before.isOwnPicture }, before.sent);
  sent.isWaiting = isWaiting;
  save();
  if (isWaiting) find("#form-says").textContent = words("send.unsure");
}
await listThreads();
isReady();
