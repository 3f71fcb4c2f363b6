// Who one is: nobody, until the first act that needs somebody.
import { words } from "./words.js";
import { element, guardConversion } from "./dom.js";
import { Problem, send } from "./api.js";
import { fault, length, rules, stored } from "./text.js";

const body = document.body.dataset;

export const me = {
  get id() { return body.user; },
  get name() { return body.name; },
  set({ id, displayName }) { body.user = id; body.name = displayName; },
};

const place = "keijiban user";

/** Tells other tabs, and pages that are put aside, who one is now. It is no secret. */
function tellOthers() {
  try { localStorage.setItem(place, JSON.stringify({ id: me.id, displayName: me.name })); } catch { /* They learn it from the board. */ }
}

/** Somebody signed up or left elsewhere: what the board shows them is read anew, and what is here stays until then. */
function compare() {
  let known = null;
  try { known = JSON.parse(localStorage.getItem(place) ?? "null"); } catch { return; }
  if (!known || known.id === me.id) return;
  me.set(known);
  document.dispatchEvent(new Event("session"));
}

addEventListener("storage", ({ key }) => { if (key === place) compare(); });
addEventListener("pageshow", ({ persisted }) => { if (persisted) compare(); });
if (me.id) tellOthers();

// Browsers have locks only where the page came over TLS or from this machine.
async function alone(body) {
  let hasBegun = false;
  try {
    if (navigator.locks) return await navigator.locks.request("keijiban-session", () => { hasBegun = true; return body(); });
  } catch (problem) {
    if (hasBegun) throw problem;
  }
  return body();
}

/** Signs up, or gets back the account of this browser. One tab at a time, or a browser would have two. */
async function begin(wish) {
  return alone(async () => {
    await send("PUT", "/page/session/device");
    const user = await (await send("POST", "/page/session", { body: wish })).json();
    me.set(user);
    tellOthers();
    return user;
  });
}

/** Asks for a name, kindly: it may be left out. Resolves to null where somebody does not want to go on. */
function askName() {
  return new Promise((resolve) => {
    const says = element("p", { class: "says", id: "name-says", role: "status" });
    const input = element("input", { id: "name", name: "name", autocomplete: "nickname", placeholder: words("name.none"), "aria-describedby": "name-says" });
    const form = element("form", { method: "dialog" },
      element("h2", { id: "name-title" }, words("name.ask")),
      element("p", { class: "soft" }, words("name.text")),
      element("div", { class: "field" }, element("label", { for: "name" }, words("me.name")), input, says),
      element("div", { class: "send" },
        element("button", { type: "button", class: "button", click: () => dialog.close("") }, words("cancel")),
        element("button", { class: "button main", value: "go" }, words("name.go"))));
    const dialog = element("dialog", { class: "ask", "aria-labelledby": "name-title" }, form);
    form.addEventListener("submit", (event) => {
      const wrong = fault(input.value, rules.displayName);
      says.textContent = wrong ?? "";
      if (wrong) event.preventDefault();
    });
    guardConversion(form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "go" ? stored(input.value, rules.displayName) : null);
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}

let beginning = null;
/** The name that was given, until there is an account of that name: who gave one is not asked for it again. */
let given = null;

async function introduce() {
  given ??= await askName();
  if (given === null) return false;
  try {
    await begin(length(given) ? { displayName: given } : {});
  } catch (problem) {
    if (!problem.isPassing) given = null;
    throw problem;
  }
  return true;
}

/** Whether there is somebody to act; makes an account where there is none and one is wanted. */
export async function somebody() {
  if (me.id) return true;
  beginning ??= introduce().finally(() => { beginning = null; });
  return beginning;
}

/** Acts as somebody: a token that has run out is replaced once. Resolves to null where nobody is wanted. */
export async function act(body) {
  if (!(await somebody())) return null;
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    await begin({});
    return body();
  }
}

export const takeOver = (transferCode) => begin({ transferCode });

export async function end() {
  await send("DELETE", "/page/session");
  me.set({ id: "", displayName: "" });
  tellOthers();
}
