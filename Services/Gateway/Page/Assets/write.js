// Writing a post, a daily report, or changing one.
import { find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { unwritten, writing } from "./form.js";
import { rules, stored } from "./text.js";
import { dayOf, reportTitle } from "./time.js";

await frame();
const form = find("#form");

if (form) {
  const { thread, kind, least, most, edits, day } = form.dataset;
  const isDaily = kind === "dailyReport";
  const title = { least: Number(least), most: Number(most) };
  // An untitled report is called by its day.
  const titleRule = { ...title, isOptional: isDaily };

  /** The moment that a report of a day is about: now for today, else its noon in Japan. */
  const moment = (date) => date && date !== dayOf(Date.now()) ? `${date}T12:00:00.000+09:00` : null;

  await writing(form, {
    rules: { title: titleRule, body: rules.body },
    read: (fields, picture) => ({
      ...unwritten(), threadTitle: "", date: moment(fields.date) ?? new Date().toISOString(), image: picture,
      title: stored(fields.title, title) || (isDaily && fields.date ? reportTitle(fields.date) : ""), body: stored(fields.body, rules.body),
    }),
    request: (fields) => {
      const body = { body: fields.body };
      if (stored(fields.title, title)) body.title = fields.title;
      else if (edits) body.title = null;
      if (isDaily && (!edits || fields.date !== day)) {
        const date = moment(fields.date);
        if (date || edits) body.date = date ?? new Date().toISOString();
      }
      return edits
        ? { method: "PATCH", target: `/v1/posts/${edits}`, body }
        : { method: "POST", target: `/v1/threads/${thread}/posts`, body };
    },
    isSame: (present, body) => present.body === stored(body.body, rules.body)
      && present.title === (body.title ? stored(body.title, title) : reportTitle(dayOf(present.date)))
      && (!body.date || dayOf(present.date) === dayOf(body.date)),
    done: (post) => location.replace(edits ? `/posts/${post.id}` : `/threads/${thread}`),
  });
}
isReady();
