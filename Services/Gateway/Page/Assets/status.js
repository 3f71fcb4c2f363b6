// What is said at the top of the page, and short words at its foot.
import { words } from "./words.js";
import { element, find } from "./dom.js";

const causes = new Map();

/** Says that something is not as it should be, for as long as it is so; null takes it back. */
export function tell(cause, text) {
  if (text === null) causes.delete(cause);
  else causes.set(cause, text);
  const place = find("#status");
  const said = [...causes.values()].at(-1) ?? "";
  if (place.textContent !== said) place.textContent = said;
  place.hidden = said === "";
}

let fading;

/** Here before it has anything to say, or it would not be read out. */
const said = document.body.appendChild(element("p", { id: "said", class: "said", role: "status" }));

/** Says something once; a refusal stays longer. */
export function say(text, isRefusal = false) {
  said.textContent = text;
  clearTimeout(fading);
  fading = setTimeout(() => { said.textContent = ""; }, isRefusal ? 12_000 : 4_000);
}

/** A question before something is done that cannot be undone. Resolves to whether it is wanted. */
export function ask(title, text, act) {
  return new Promise((resolve) => {
    const answer = (value) => () => { dialog.returnValue = value; dialog.close(value); };
    const dialog = element("dialog", { class: "ask", "aria-labelledby": "ask-title", "aria-describedby": "ask-text" },
      element("h2", { id: "ask-title" }, title),
      element("p", { id: "ask-text", class: "soft" }, text),
      element("div", { class: "send" },
        element("button", { type: "button", class: "button", click: answer("") }, words("cancel")),
        element("button", { type: "button", class: "button danger", click: answer("yes") }, act)));
    dialog.addEventListener("close", () => { dialog.remove(); resolve(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
}

const watchLine = () => tell("line", navigator.onLine ? null : words("offline"));
addEventListener("online", watchLine);
addEventListener("offline", watchLine);
watchLine();
