// Opening a thread.
import { find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { unwritten, writing } from "./form.js";
import { rules, stored } from "./text.js";

await frame();

await writing(find("#form"), {
  rules: { title: rules.threadTitle, description: rules.description },
  read: (fields, image) => ({
    ...unwritten(), kind: fields.kind, image,
    title: stored(fields.title, rules.threadTitle), description: stored(fields.description, rules.description),
  }),
  request: (fields) => ({
    method: "POST", target: "/v1/threads", body: { title: fields.title, description: fields.description, kind: fields.kind },
  }),
  done: (thread) => location.replace(`/threads/${thread.id}`),
});
isReady();
