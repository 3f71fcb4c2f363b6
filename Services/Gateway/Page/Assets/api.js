// The board's API, asked as its own page: the token lies in a cookie that no script reads and counts only beside this header.
import { language, words } from "./words.js";
import { tell } from "./status.js";

/** An answer that is none of success. `status` 0: none came. */
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.detail ?? body.title ?? words("failed"));
    this.status = status;
    this.kind = (body.type ?? "").replace("/problems/", "");
    this.title = body.title ?? words("failed");
    this.errors = body.errors ?? [];
  }

  /** Whether the same request may well succeed later. */
  get isPassing() { return this.status === 0 || this.status === 429 || this.status >= 500 || this.kind === "conflict"; }
}

/** How far the last write went. A cookie, so that pages and other tabs bring it along too. */
const cookie = document.body.dataset.position;
const secure = cookie.startsWith("__Host-") ? "; Secure" : "";
const position = {
  get: () => document.cookie.split("; ").find((pair) => pair.startsWith(`${cookie}=`))?.slice(cookie.length + 1) || null,
  set: (token) => { document.cookie = `${cookie}=${token}; Path=/; SameSite=Lax; Max-Age=600${secure}`; },
};

let writes = 0;

/** Reads, and again where something was written meanwhile: what was asked for before a write must not be shown after it. */
export async function getFresh(target, options) {
  for (;;) {
    const before = writes;
    const found = await get(target, options);
    if (before === writes) return found;
  }
}

/** Sends a request and returns its response; throws `Problem` for any that is no success. `patience`: milliseconds. */
export async function send(method, target, { body, key, type, version, position: least, patience = body instanceof Blob ? 90_000 : 30_000 } = {}) {
  const headers = { "Accept-Language": language, "Keijiban-Page": "1" };
  const reached = position.get() ?? least;
  if (reached) headers["Keijiban-Position"] = reached;
  if (key) headers["Idempotency-Key"] = key;
  if (version) headers["If-Match"] = `"v${version}"`;
  if (body !== undefined) headers["Content-Type"] = type ?? "application/json";
  const content = body === undefined || type ? body : JSON.stringify(body);
  if (method !== "GET") writes += 1;
  let response;
  try {
    const signal = AbortSignal.timeout(patience);
    response = await fetch(target, { method, headers, body: content, credentials: "same-origin", cache: "no-cache", signal });
    // An answer that breaks off is none.
    const whole = await response.arrayBuffer();
    response = new Response(whole.byteLength ? whole : null, { status: response.status, headers: response.headers });
  } catch {
    tell("away", words("offline"));
    throw new Problem(0);
  } finally {
    if (method !== "GET") writes += 1;
  }
  const written = response.headers.get("Keijiban-Position");
  if (written && !target.startsWith("/v1/live")) position.set(written);
  if (response.ok) {
    tell("away", null);
    tell("partial", response.headers.has("Keijiban-Partial") ? words("partial") : null);
    return response;
  }
  const problem = new Problem(response.status, await response.json().catch(() => ({})));
  if (problem.status >= 500) tell("away", words("offline"));
  throw problem;
}

/** What a path has to show. */
export async function get(target, options) {
  return (await send("GET", target, options)).json();
}
