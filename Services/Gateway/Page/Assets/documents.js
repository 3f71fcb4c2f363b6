// Documents from the reader's own disk: opened, changed beside their preview, saved back, or posted.
import { words } from "./words.js";
import { element, find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { get, send } from "./api.js";
import { act } from "./session.js";
import { draft as draftOf, newKey } from "./draft.js";
import { keep } from "./acts.js";
import { sayField, showCount, unwritten } from "./form.js";
import { item } from "./render.js";
import { pictureField } from "./picture.js";
import { fault, rules } from "./text.js";
import { open, pack, parts } from "./textpack.js";
import { TooLarge } from "./zip.js";

await frame();
const form = find("#form");
const says = find("#file-says");
const button = find("#send");
const into = find("#into");
const kept = draftOf("document");
const titleRule = { least: Number(document.body.dataset.least), most: Number(document.body.dataset.most) };
let name = "document.textpack";
let threads = [];
let sending = null;
let isTouched = false;

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
  button.disabled = Boolean(wrong) || picture.isBusy || !into.value || sending !== null;
  const list = find("#preview");
  list.inert = true;
  list.replaceChildren(item("post-card", { ...unwritten(), title, body, date: new Date().toISOString(), image: picture.image }));
}

const picture = pictureField(form, () => { kept.savePicture(picture.blob); show(); });

async function start(text, blob) {
  form.hidden = false;
  form.elements.text.value = text;
  if (blob) await picture.take(blob);
  else if (picture.image) picture.clear();
  kept.save({ text, name });
  show();
  find("#text").focus();
}

async function take(file) {
  says.textContent = "";
  try {
    const document = await open(file);
    name = file.name;
    isTouched = true;
    await start(document.text, document.picture);
  } catch (error) {
    says.textContent = words(error instanceof TooLarge ? "documents.large" : "documents.wrong");
  }
}

async function listThreads() {
  threads = (await get("/v1/threads?order=active&limit=100")).items;
  into.replaceChildren(...threads.map(({ id, title }) => element("option", { value: id }, title)));
  const wanted = new URLSearchParams(location.search).get("thread");
  if (threads.some(({ id }) => id === wanted)) into.value = wanted;
  show();
}

async function post() {
  find("#form-says").textContent = "";
  sending ??= newKey();
  show();
  try {
    const body = await pack(form.elements.text.value, picture.blob);
    const answer = await act(() => send("POST", `/v1/threads/${into.value}/posts/import`, { body, type: "application/zip", key: sending }));
    if (!answer) return;
    const made = await answer.json();
    await kept.clear();
    location.assign(`/posts/${made.id}`);
    return;
  } catch (problem) {
    find("#form-says").textContent = problem.kind === "duplicate-post" ? words("duplicate")
      : problem.isPassing ? words("send.later") : problem.message;
    if (problem.isPassing) return;
  }
  sending = null;
  show();
}

find("#file").addEventListener("change", ({ target }) => { if (target.files[0]) take(target.files[0]); target.value = ""; });
find("#new").addEventListener("click", () => { name = "document.textpack"; isTouched = false; start("# ", null); });
const drop = find("#file-drop");
drop.addEventListener("dragover", (event) => event.preventDefault());
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  if (event.dataTransfer.files[0]) take(event.dataTransfer.files[0]);
});
form.addEventListener("input", () => {
  sending = null;
  isTouched = true;
  kept.save({ text: form.elements.text.value, name });
  show();
});
form.addEventListener("submit", (event) => { event.preventDefault(); if (!button.disabled) post(); });
find("#save").addEventListener("click", async () => keep(await pack(form.elements.text.value, picture.blob), name));

const before = kept.load();
if (before) {
  name = before.name;
  await start(before.text, await kept.picture());
}
await listThreads().catch(() => {});
isReady();
