// A form that is written in: counters, what is wrong before the button is tried, a draft, one sending however often it is pressed.
import { words } from "./words.js";
import { find, guardConversion } from "./dom.js";
import { send } from "./api.js";
import { act, me } from "./session.js";
import { fault, length, stored } from "./text.js";
import { draft as draftOf, newKey } from "./draft.js";
import { pictureField } from "./picture.js";
import { item } from "./render.js";
import { sending } from "./sending.js";
import { clockText } from "./time.js";

/** Says in a field what is wrong with it. */
export function sayField(form, name, text) {
  const field = find(`[data-field="${name}"]`, form);
  find(".says", field).textContent = text ?? "";
  field.classList.toggle("wrong", Boolean(text));
  find("input:not([type=file]), textarea", field)?.setAttribute("aria-invalid", String(Boolean(text)));
}

/** Shows how many characters a field has, as they will be counted. */
export function showCount(form, name, rule) {
  const place = find(`[data-count="${name}"]`, form);
  const count = length(stored(form.elements[name].value, rule));
  if (place) place.textContent = count.toLocaleString("en-US");
}

/**
 * Brings a form to life.
 * @param {object} plan `rules` by field; `read(fields, image)` gives what is previewed; `request(fields)` the method, target and
 *   body without the picture; `done(answer)` where to go.
 */
export async function writing(form, plan) {
  const kept = draftOf(form.dataset.draft);
  const button = find("#send", form);
  const says = find("#form-says");
  const note = find("#draft-says");
  const discard = find("#discard", form);
  const names = Object.keys(plan.rules);
  const touched = new Set();
  /** What the board refused, by field, until something else is typed. */
  let refusals = {};
  let sent = {};

  const fields = () => Object.fromEntries(new FormData(form));
  const texts = () => Object.fromEntries(Object.entries(fields()).filter(([, value]) => typeof value === "string"));
  const wrong = () => Object.fromEntries(names.map((name) => [name, fault(form.elements[name].value, plan.rules[name])]));
  const save = () => kept.save({ fields: texts(), sent, at: Date.now() });

  function show() {
    const faults = wrong();
    for (const name of names) {
      showCount(form, name, plan.rules[name]);
      const isSaid = touched.has(name) && (form.elements[name].value !== "" || !plan.rules[name].isOptional);
      sayField(form, name, refusals[name] ?? (isSaid ? faults[name] : null));
    }
    const isRight = names.every((name) => !faults[name]) && form.checkValidity() && !picture.isBusy;
    button.disabled = line.state !== "writing" || !isRight;
    const list = find("#preview");
    list.inert = true;
    list.replaceChildren(item(list.dataset.kind, plan.read(fields(), picture.image)));
  }

  function changed() {
    if (line.state === "sent") return;
    line.rest();
    refusals = {};
    const isKept = save();
    discard.hidden = false;
    if (line.state === "writing") {
      says.textContent = "";
      note.textContent = isKept ? words("draft.saved", { time: clockText(Date.now()) }) : words("draft.unsaved");
    }
    show();
  }

  const picture = pictureField(form, (isByHand) => {
    delete sent.imageId;
    delete sent.imageKey;
    if (isByHand) { kept.savePicture(picture.blob); changed(); } else show();
  });

  /** The same key for the same content, whatever it is sent for; another for another. */
  function keyFor(body) {
    const content = JSON.stringify(body);
    if (sent.content !== content) Object.assign(sent, { content, key: newKey() });
    save();
    return sent.key;
  }

  async function sendAll() {
    const { method, target, body, version } = plan.request(fields());
    const { blob } = picture;
    if (blob && !sent.imageId) {
      sent.imageKey ??= newKey();
      const answer = await send("POST", "/v1/media", { body: blob, type: blob.type || "image/jpeg", key: sent.imageKey });
      const { id } = await answer.json();
      // Another may have been picked meanwhile.
      if (picture.blob === blob) sent.imageId = id;
      body.imageId = id;
    } else if (sent.imageId) body.imageId = sent.imageId;
    else if (plan.hadPicture && !picture.image) body.imageId = null;
    const key = method === "POST" ? keyFor(body) : undefined;
    return (await send(method, target, { body, key, version })).json();
  }

  async function attempt() {
    const before = JSON.stringify(texts());
    const answer = await act(sendAll);
    if (answer === null) return false;
    // What was typed while it was under way is not sent, so it is kept.
    if (JSON.stringify(texts()) === before) await kept.clear();
    plan.done(answer);
    return true;
  }

  /** Says it in the field and beside the button, and leads to the field. */
  function refuseField(name, text) {
    refusals[name] = text;
    says.textContent = text;
  }

  function refused(problem, isWaiting) {
    if (isWaiting) {
      says.textContent = words("send.later");
      says.scrollIntoView({ block: "nearest" });
      return;
    }
    refusals = {};
    if (problem.kind === "duplicate-post") refuseField("title", words("duplicate"));
    else if (problem.kind === "image-too-large") picture.say(says.textContent = words("picture.tooLarge"));
    else if (problem.kind === "unsupported-image") picture.say(says.textContent = words("picture.unknown"));
    else if (problem.status === 412) says.textContent = words("changed");
    else if (problem.status === 403) says.textContent = problem.title;
    else if (!problem.errors?.length) says.textContent = problem.message;
    for (const { field, message } of problem.errors ?? []) {
      if (names.includes(field)) refuseField(field, message);
      else says.textContent = message;
    }
    show();
    const first = names.find((name) => refusals[name]);
    if (first) form.elements[first].focus();
    else says.scrollIntoView({ block: "nearest" });
  }

  const line = sending({
    attempt, refused,
    changed() {
      note.textContent = line.state === "sending" ? words("sending") : "";
      if (line.state === "sending") says.textContent = "";
      show();
    },
  });

  form.addEventListener("input", (event) => { touched.add(event.target.name); changed(); });
  form.addEventListener("focusout", (event) => {
    if (names.includes(event.target.name) && event.target.value !== "") { touched.add(event.target.name); show(); }
  });
  discard.addEventListener("click", async () => { await kept.clear(); form.reset(); location.reload(); });
  guardConversion(form);
  form.addEventListener("submit", (event) => { event.preventDefault(); if (!button.disabled) line.go(); });

  const before = kept.load();
  if (plan.stored) picture.showStored(plan.stored);
  if (before) {
    for (const [name, value] of Object.entries(before.fields ?? {})) {
      const control = form.elements[name];
      if (control) control.value = value;
    }
    const blob = await kept.picture();
    if (blob) await picture.take(blob, false);
    sent = before.sent ?? {};
    note.textContent = words("draft.restored");
    discard.hidden = false;
  }
  show();
  for (const name of names) if (form.elements[name].value !== "") touched.add(name);
  show();
}

/** What a post that is being written has besides its texts. */
export const unwritten = () => ({
  id: "00000000-0000-0000-0000-000000000000", version: 1, editedAt: null, likeCount: 0, postCount: 0, likedByMe: false, canDelete: true,
  createdAt: new Date().toISOString(), lastPostedAt: null, author: { id: me.id, displayName: me.name || words("name.none") },
});
