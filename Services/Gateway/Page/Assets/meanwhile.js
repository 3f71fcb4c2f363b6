// What was changed while it was written on: both are kept, and one is chosen.
import { words } from "./words.js";
import { element } from "./dom.js";

/**
 * What stands there now, to be looked at, and a choice between it and what is written here.
 * @param {object} acts `mine()` puts what is written here in its place, `theirs()` gives that up.
 */
export function meanwhile({ title, body, description, image }, { mine, theirs }) {
  const button = element("button", { type: "button", class: "button main", id: "use-mine", click: mine }, words("changed.mine"));
  const picture = image ? element("img", { src: image.thumbnailUrl, width: 96, height: 96, alt: words("picture") }) : null;
  const node = element("section", { class: "sheet meanwhile", "aria-label": words("changed.present") },
    element("p", { role: "alert" }, element("b", {}, words("changed")), ` ${words("changed.kept")}`),
    element("details", { class: "post" }, element("summary", {}, words("changed.present")),
      element("h2", {}, title), element("p", { class: "body" }, body ?? description), picture && element("p", { class: "picked" }, picture)),
    element("div", { class: "send" }, button,
      element("button", { type: "button", class: "button", id: "use-theirs", click: theirs }, words("changed.theirs"))));
  return { node, remove: () => node.remove(), allow: (isReady) => { button.disabled = !isReady; } };
}
