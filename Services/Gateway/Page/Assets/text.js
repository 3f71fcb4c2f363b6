// The rules for text, as the API has them: the same form, the same figure, the same reasons.
import { words } from "./words.js";

const segmenter = new Intl.Segmenter("ja", { granularity: "grapheme" });
const space = "\\p{White_Space}";
const leading = new RegExp(`^${space}+`, "u");
const trailing = new RegExp(`${space}+$`, "u");
const blankLines = new RegExp(`^${space}*\\n`, "u");
const control = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/u;
const visible = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}\u2800]/u;

export const rules = {
  displayName: { least: 0, most: 20 },
  threadTitle: { least: 1, most: 60 },
  description: { least: 0, most: 500 },
  body: { least: 1, most: 20_000, isBody: true },
};

/** What will be stored of what was typed. */
export function stored(raw, rule) {
  const text = raw.replace(/\r\n?/g, "\n").normalize("NFC");
  const end = text.replace(trailing, "");
  return end.replace(rule.isBody ? blankLines : leading, "");
}

/** Characters as people count them. */
export function length(text) {
  let count = 0;
  for (const _ of segmenter.segment(text)) count += 1;
  return count;
}

/** The beginning of a text, cut between characters; as the gateway cuts it. `width`: as how many characters one counts. */
export function excerpt(body, { lines, characters, width = () => 1 }) {
  const first = body.split("\n", lines + 1).slice(0, lines).join("\n");
  let end = first.length;
  let count = 0;
  for (const { index, segment } of segmenter.segment(first)) {
    count += width(segment);
    if (count > characters) { end = index; break; }
  }
  if (end === body.length) return body;
  return `${first.slice(0, end).replace(trailing, "")}…`;
}

/** What is wrong with a text, in words; null where nothing is. */
export function fault(raw, rule) {
  const text = stored(raw, rule);
  const count = length(text);
  if (text === "") return rule.least === 0 || rule.isOptional ? null : words("text.needed");
  if (control.test(text)) return words("text.control");
  if (!visible.test(text)) return words("text.invisible");
  if (count < rule.least) return words("text.short", { n: rule.least - count, least: rule.least });
  if (count > rule.most) return words("text.long", { n: count - rule.most, most: rule.most.toLocaleString("en-US") });
  return null;
}
