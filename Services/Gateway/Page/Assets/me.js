// My page: the name, what is one's own, and the account.
import { words } from "./words.js";
import { all, element, find, guardConversion, icon } from "./dom.js";
import { frame, isReady, later } from "./frame.js";
import { get, send } from "./api.js";
import { act, end, me, takeOver } from "./session.js";
import { fileName, keep } from "./acts.js";
import { forgetDrafts } from "./draft.js";
import { sayField, showCount } from "./form.js";
import { begin, shown } from "./list.js";
import { ask, say } from "./status.js";
import { fault, rules, stored } from "./text.js";
import { clockText } from "./time.js";

await frame();
const nameRule = { ...rules.displayName, least: 1 };

const empty = (name, image) => element("div", { class: "sheet empty" }, icon(image),
  element("b", {}, words(`me.${name}.empty`)), element("p", {}, words(`me.${name}.empty.text`)));

let again = null;

async function showList(name) {
  clearTimeout(again);
  for (const tab of all("[role=tab]")) {
    const isChosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
  }
  const place = find("#mine");
  place.setAttribute("aria-labelledby", `tab-${name}`);
  const plan = { kind: "post-row", source: `/v1/users/me/${name}?limit=20`, empty: empty(name, name === "posts" ? "posts" : "heart") };
  await begin(place, plan).catch((problem) => {
    place.replaceChildren(element("p", { class: "banner" }, problem.message));
    if (problem.isPassing) again = setTimeout(showList, 4_000, name);
  });
}

const tabs = find("[role=tablist]");
tabs.addEventListener("click", ({ target }) => { if (target.matches("[role=tab]")) showList(target.id.slice(4)); });
tabs.addEventListener("keydown", ({ key }) => {
  if (key !== "ArrowLeft" && key !== "ArrowRight") return;
  const other = find("[role=tab][aria-selected=false]");
  other.focus();
  showList(other.id.slice(4));
});

/** The name. */
const rename = find("#rename");
const field = rename.elements.displayName;

function showName() {
  const wrong = fault(field.value, nameRule);
  showCount(rename, "displayName", nameRule);
  sayField(rename, "displayName", wrong);
  find("#rename-send").disabled = Boolean(wrong) || stored(field.value, nameRule) === me.name;
}

rename.addEventListener("input", showName);
guardConversion(rename);
rename.addEventListener("submit", async (event) => {
  event.preventDefault();
  const place = find("#rename-send");
  if (place.disabled) return;
  place.disabled = true;
  try {
    const answer = await act(() => send("PATCH", "/v1/users/me", { body: { displayName: field.value } }));
    me.set(await answer.json());
    find(".profile .face").textContent = [...new Intl.Segmenter().segment(me.name)][0].segment;
    say(words("me.renamed"));
  } catch (problem) {
    sayField(rename, "displayName", problem.errors[0]?.message ?? problem.message);
    place.disabled = false;
  }
});

/** The account. What fails says so beside its button. */
function listen(id, action) {
  const button = find(`#${id}`);
  button.addEventListener("click", async () => {
    const says = find(`#${id}-says`);
    says.textContent = "";
    button.disabled = true;
    try {
      await action(says);
    } catch (problem) {
      says.textContent = problem.message;
    }
    button.disabled = false;
  });
}

listen("transfer", async (says) => {
  const { transferCode, expiresAt } = await (await act(() => send("POST", "/v1/users/me/transfer"))).json();
  says.classList.add("good");
  says.textContent = words("me.transfer.code", { code: transferCode, time: clockText(expiresAt) });
});
listen("export", async () => {
  const answer = await act(() => send("GET", "/v1/users/me/export", { patience: 600_000 }));
  keep(await answer.blob(), fileName(answer, "keijiban.zip"));
});
listen("erase", async () => {
  if (!(await ask(words("me.erase.ask"), words("me.erase.ask.text"), words("delete")))) return;
  await act(() => send("DELETE", "/v1/users/me"));
  await end();
  forgetDrafts();
  location.replace("/");
});

find("#enter").addEventListener("submit", async (event) => {
  event.preventDefault();
  const says = find("#enter-says");
  const button = find("button", event.target);
  const code = find("#code").value.trim();
  if (button.disabled || !code) return;
  says.textContent = "";
  button.disabled = true;
  try {
    // The key to the account that is here would be overwritten, and nothing else opens it.
    if (me.id && !(await ask(words("me.enter.ask"), words("me.enter.ask.text", { name: me.name }), words("me.enter.do")))) return;
    await takeOver(code);
    location.reload();
  } catch (problem) {
    says.textContent = problem.status === 422 ? words("me.enter.wrong") : problem.message;
  } finally {
    button.disabled = false;
  }
});

document.addEventListener("session", () => location.reload());

if (me.id) {
  showName();
  sayField(rename, "displayName", null);
  const user = await get("/v1/users/me").catch(() => null);
  if (user) me.set(user);
  await showList("posts");
  isReady();
  const { keepFindings } = await later(() => import("./findings.js"));
  const belongs = (post) => find("#tab-posts[aria-selected=true]") ? post.author.id === me.id : post.likedByMe || Boolean(shown(find("#mine ol"), post.id));
  keepFindings(() => find("#mine ol"), { user: me.id, head: find(".profile"), belongs });
} else isReady();
