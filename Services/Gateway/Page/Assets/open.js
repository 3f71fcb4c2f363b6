// Opening a thread, or changing one.
import { find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { unwritten, writing } from "./form.js";
import { rules, stored } from "./text.js";

await frame();

const form = find("#form");
const { edits, kind } = form.dataset;

await writing(form, {
  rules: { title: rules.threadTitle, description: rules.description },
  read: (fields, image) => ({
    ...unwritten(), kind: fields.kind ?? kind, image,
    title: stored(fields.title, rules.threadTitle), description: stored(fields.description, rules.description),
  }),
  request({ title, description, ...more }) {
    return edits
      ? { method: "PATCH", target: `/v1/threads/${edits}`, body: { title, description } }
      : { method: "POST", target: "/v1/threads", body: { title, description, kind: more.kind } };
  },
  isSame: (present, { title, description }) =>
    present.title === stored(title, rules.threadTitle) && present.description === stored(description, rules.description),
  done: (thread) => location.replace(`/threads/${thread.id}`),
});
isReady();
