// A form that is written in: counters, what is wrong before the button is tried, a draft, one sending however often it is pressed.
import { words } from "./words.js";
import { find } from "./dom.js";
import { send } from "./api.js";
import { act, me } from "./session.js";
import { fault, length, stored } from "./text.js";
import { draft as draftOf, newKey } from "./draft.js";
import { pictureField } from "./picture.js";
import { item } from "./render.js";
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

/** Enter that ends a Japanese conversion is no wish to send. */
export function guardConversion(form) {
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.isComposing || event.keyCode === 229)) event.preventDefault();
  });
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
  let sent = {};
  let state = "writing";
  let retry = null;
  let pause = 2_000;

  const fields = () => Object.fromEntries(new FormData(form));
  const wrong = () => Object.fromEntries(names.map((name) => [name, fault(form.elements[name].value, plan.rules[name])]));

  function show() {
    const faults = wrong();
    for (const name of names) {
      showCount(form, name, plan.rules[name]);
      const isSaid = touched.has(name) && (form.elements[name].value !== "" || !plan.rules[name].isOptional);
      sayField(form, name, isSaid ? faults[name] : null);
    }
    const isRight = names.every((name) => !faults[name]) && form.checkValidity() && !picture.isBusy;
    button.disabled = state !== "writing" || !isRight;
    const list = find("#preview");
    list.inert = true;
    list.replaceChildren(item(list.dataset.kind, plan.read(fields(), picture.image)));
  }

  function changed() {
    clearTimeout(retry);
    if (state === "waiting") state = "writing";
    if (state !== "writing") return;
    says.textContent = "";
    const texts = Object.fromEntries(Object.entries(fields()).filter(([, value]) => typeof value === "string"));
    kept.save({ fields: texts, sent, at: Date.now() });
    discard.hidden = false;
    note.textContent = words("draft.saved", { time: clockText(Date.now()) });
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
    kept.save({ ...kept.load(), sent });
    return sent.key;
  }

  async function sendAll() {
    const { method, target, body, version } = plan.request(fields());
    if (picture.blob && !sent.imageId) {
      sent.imageKey ??= newKey();
      const answer = await send("POST", "/v1/media", { body: picture.blob, type: picture.blob.type || "image/jpeg", key: sent.imageKey });
      sent.imageId = (await answer.json()).id;
    }
    if (sent.imageId) body.imageId = sent.imageId;
    else if (plan.hadPicture && !picture.image) body.imageId = null;
    const key = method === "POST" ? keyFor(body) : undefined;
    return (await send(method, target, { body, key, version })).json();
  }

  function refused(problem) {
    if (problem.isPassing) {
      state = "waiting";
      says.textContent = words("send.later");
      says.scrollIntoView({ block: "nearest" });
      retry = setTimeout(submit, pause);
      pause = Math.min(30_000, pause * 2);
      return;
    }
    state = "writing";
    if (problem.kind === "duplicate-post") sayField(form, "title", words("duplicate"));
    else if (problem.kind === "image-too-large") picture.say(words("picture.tooLarge"));
    else if (problem.kind === "unsupported-image") picture.say(words("picture.unknown"));
    else if (problem.status === 412) says.textContent = words("changed");
    else if (problem.status === 403) says.textContent = problem.title;
    else if (problem.errors.length === 0) says.textContent = problem.message;
    for (const { field, message } of problem.errors) {
      if (find(`[data-field="${field}"]`, form)) sayField(form, field, message);
      else says.textContent = message;
    }
    button.disabled = false;
  }

  async function submit() {
    clearTimeout(retry);
    if (state === "sending" || state === "sent") return;
    state = "sending";
    button.disabled = true;
    note.textContent = words("sending");
    try {
      const answer = await act(sendAll);
      if (answer === null) { state = "writing"; show(); return; }
      state = "sent";
      await kept.clear();
      plan.done(answer);
    } catch (problem) {
      refused(problem);
    } finally {
      note.textContent = "";
    }
  }

  form.addEventListener("input", (event) => { touched.add(event.target.name); changed(); });
  form.addEventListener("focusout", (event) => {
    if (names.includes(event.target.name) && event.target.value !== "") { touched.add(event.target.name); if (state === "writing") show(); }
  });
  discard.addEventListener("click", async () => { await kept.clear(); form.reset(); location.reload(); });
  guardConversion(form);
  form.addEventListener("submit", (event) => { event.preventDefault(); if (!button.disabled) submit(); });
  addEventListener("online", () => { if (state === "waiting") { pause = 2_000; submit(); } });

  const before = kept.load();
  if (plan.stored) picture.showStored(plan.stored);
  if (before) {
    for (const [name, value] of Object.entries(before.fields)) {
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
