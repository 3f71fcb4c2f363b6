// A form that is written in: counters, what is wrong before the button is tried, a draft, one sending however often it is pressed.
import { words } from "./words.js";
import { find, guardConversion } from "./dom.js";
import { getFresh, send } from "./api.js";
import { act, me } from "./session.js";
import { fault, length, stored as storedText } from "./text.js";
import { draft as draftOf, keyOf, newKey } from "./draft.js";
import { meanwhile } from "./meanwhile.js";
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
  const count = length(storedText(form.elements[name].value, rule));
  if (place) place.textContent = count.toLocaleString("en-US");
}

/**
 * Brings a form to life. What it changes, from which version on, and the picture that is there, stand in its markup.
 * @param {object} plan `rules` by field; `read(fields, image)` gives what is previewed; `request(fields)` the method, target and
 *   body without the picture; `isSame(present, body)` whether a change is what is there now; `done(answer)` where to go.
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
  const { edits, image: imageId, imageUrl, imageWidth, imageHeight } = form.dataset;
  const stored = imageId ? { displayUrl: imageUrl, thumbnailUrl: imageUrl, width: Number(imageWidth), height: Number(imageHeight) } : null;
  /** Of what is changed, when what is written here was begun. */
  let { version } = form.dataset;
  /** What stands there now, where that is another. */
  let offer = null;

  const fields = () => Object.fromEntries(new FormData(form));
  const texts = () => Object.fromEntries(Object.entries(fields()).filter(([, value]) => typeof value === "string"));
  const wrong = () => Object.fromEntries(names.map((name) => [name, fault(form.elements[name].value, plan.rules[name])]));
  const save = () => kept.save({ fields: texts(), isPictureGone: Boolean(imageId && !picture.image), version, sent, at: Date.now() });

  function show() {
    const faults = wrong();
    for (const name of names) {
      showCount(form, name, plan.rules[name]);
      const isSaid = touched.has(name) && (form.elements[name].value !== "" || !plan.rules[name].isOptional);
      sayField(form, name, refusals[name] ?? (isSaid ? faults[name] : null));
    }
    const isRight = names.every((name) => !faults[name]) && form.checkValidity() && !picture.isBusy;
    const isReady = line.state === "writing" && isRight;
    button.disabled = !isReady || Boolean(offer);
    offer?.allow(isReady);
    const list = find("#preview");
    list.inert = true;
    list.replaceChildren(item(list.dataset.kind, plan.read(fields(), picture.image)));
  }

  function changed() {
    if (line.state === "sent") return;
    line.rest();
    refusals = {};
    delete sent.isWaiting;
    const isKept = save();
    discard.hidden = false;
    if (line.state === "writing") {
      says.textContent = "";
      note.textContent = isKept ? words("draft.saved", { time: clockText(Date.now()) }) : words("draft.unsaved");
    }
    show();
  }

  function forgetUpload() {
    delete sent.imageId;
    delete sent.imageKey;
  }

  const picture = pictureField(form, (isByHand) => {
    forgetUpload();
    show();
    // What is said to be saved is saved.
    if (isByHand) kept.savePicture(picture.blob).then(changed);
  });

  /** What is sent, without a picture that is not there yet. */
  function wanted() {
    const request = plan.request(fields());
    if (picture.blob) { if (sent.imageId) request.body.imageId = sent.imageId; }
    else if (imageId && !picture.image) request.body.imageId = null;
    return request;
  }

  async function sendAll() {
    const { method, target, body } = wanted();
    const { blob } = picture;
    sent.isWaiting = true;
    save();
    if (blob && !body.imageId) {
      sent.imageKey ??= newKey();
      const answer = await send("POST", "/v1/media", { body: blob, type: blob.type || "image/jpeg", key: sent.imageKey });
      const { id } = await answer.json();
      // Another may have been picked meanwhile.
      if (picture.blob === blob) sent.imageId = id;
      body.imageId = id;
    }
    const key = method === "POST" ? keyOf(sent, JSON.stringify(body), target) : undefined;
    save();
    try {
      return await (await send(method, target, { body, key, version })).json();
    } catch (problem) {
      if (problem.status !== 412) throw problem;
      // It may be this very change: an answer that was lost.
      problem.present = await getFresh(target);
      if (isThere(problem.present, body)) return problem.present;
      throw problem;
    }
  }

  const isThere = (present, body) =>
    plan.isSame(present, body) && (body.imageId === undefined || body.imageId === (present.image?.id ?? null));

  /** Both stay: what is written here, and what stands there now. */
  function offerBoth(present, isFirst) {
    offer?.remove();
    offer = meanwhile(present, {
      mine() { version = String(present.version); offer.remove(); offer = null; save(); show(); line.go(); },
      theirs: forget,
    });
    if (isFirst) form.prepend(offer.node);
    else form.append(offer.node);
    show();
    offer.node.scrollIntoView({ block: "nearest" });
  }

  async function forget() { await kept.clear(); form.reset(); location.reload(); }

  async function attempt() {
    const before = JSON.stringify(texts());
    const { blob } = picture;
    const answer = await act(sendAll);
    if (answer === null) return false;
    // What was typed or picked while it was under way is not sent, so it is kept.
    if (JSON.stringify(texts()) === before && picture.blob === blob) await kept.clear();
    else { version = String(answer.version); sent = {}; save(); }
    plan.done(answer);
    return true;
  }

  /** Says it in the field and beside the button, and leads to the field. */
  function refuseField(name, text) {
    refusals[name] = text;
    says.textContent = text;
  }

  function refused(problem, isWaiting) {
    sent.isWaiting = isWaiting;
    save();
    if (isWaiting) {
      says.textContent = words("send.later");
      says.scrollIntoView({ block: "nearest" });
      return;
    }
    refusals = {};
    if (problem.present) { offerBoth(problem.present, false); return; }
    if (problem.kind === "duplicate-post") refuseField("title", words("duplicate"));
    else if (problem.kind === "image-too-large") picture.say(says.textContent = words("picture.tooLarge"));
    else if (problem.kind === "unsupported-image") picture.say(says.textContent = words("picture.unknown"));
    else if (problem.status === 403) says.textContent = problem.title;
    else if (!problem.errors?.length) says.textContent = problem.message;
    for (const { field, message } of problem.errors ?? []) {
      if (names.includes(field)) refuseField(field, message);
      else says.textContent = message;
      if (field === "imageId") forgetUpload();
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
  discard.addEventListener("click", forget);
  // Another tab has sent its text, and with it went the draft, which has one place for all tabs: what is written here is kept again.
  kept.whenCleared((gone) => {
    if (discard.hidden || line.state === "sent" || JSON.stringify(gone.fields) === JSON.stringify(texts())) return;
    if (picture.blob) kept.savePicture(picture.blob);
    save();
  });
  guardConversion(form);
  form.addEventListener("submit", (event) => { event.preventDefault(); if (!button.disabled) line.go(); });

  /** As it came from the board. */
  async function begin() {
    await kept.clear();
    form.reset();
    sent = {};
    ({ version } = form.dataset);
    says.textContent = note.textContent = "";
    discard.hidden = true;
    picture.showStored(stored);
  }

  async function restore(before) {
    for (const [name, value] of Object.entries(before.fields ?? {})) {
      const control = form.elements[name];
      if (control) control.value = value;
    }
    const blob = await kept.picture();
    if (blob) await picture.take(blob, false);
    else if (before.isPictureGone) picture.showStored(null);
    sent = before.sent ?? {};
    note.textContent = words("draft.restored");
    discard.hidden = false;
    if (sent.isWaiting) says.textContent = words("send.unsure");
    if (!edits || !before.version || before.version === version) return;
    // Until it is known what stands there now, nothing may be put in its place.
    version = before.version;
    const { target, body } = wanted();
    const picked = picture.blob;
    const present = await getFresh(target).catch(() => null);
    if (!present) return;
    if (!isThere(present, body) || (blob && !body.imageId)) offerBoth(present, true);
    else if (JSON.stringify(wanted().body) === JSON.stringify(body) && picture.blob === picked) await begin();
    else { version = String(present.version); sent = {}; changed(); } // What was typed meanwhile goes on from there.
  }

  picture.showStored(stored);
  const before = kept.load();
  if (before) await restore(before);
  show();
  for (const name of names) if (form.elements[name].value !== "") touched.add(name);
  show();
}

/** What a post that is being written has besides its texts. */
export const unwritten = () => ({
  id: "00000000-0000-0000-0000-000000000000", version: 1, editedAt: null, likeCount: 0, postCount: 0, likedByMe: false, canDelete: true,
  createdAt: new Date().toISOString(), lastPostedAt: null, author: { id: me.id, displayName: me.name || words("name.none") },
});
