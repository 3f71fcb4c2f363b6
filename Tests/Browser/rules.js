// What is wrong with the screen that is shown, one line each: names, roles, order, contrast, and boxes that lie over each other, leave
// the screen or are too small for a finger. `isTouched` where it is used with one.
(isTouched) => {
  const faults = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const visible = (node) => node.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !node.closest("[inert], .hidden, .skip:not(:focus), template");
  const text = (node) => (node.textContent + all("img", node).map((image) => image.alt).join("")).trim();
  const label = (node) => node.getAttribute("aria-label")
    || (node.getAttribute("aria-labelledby") || "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("");
  const name = (node) => (label(node) || [...(node.labels ?? [])].map(text).join("") || text(node) || node.title).trim();
  const short = (node) => `${node.localName}${node.id ? `#${node.id}` : ""}.${node.className.baseVal ?? node.className} ${name(node).slice(0, 24)}`;
  const controls = "a[href], button, summary, input:not([type=hidden]), textarea, select, [role=tab]";

  // Names, roles and what leads where.
  for (const node of all(controls)) {
    if (!visible(node)) continue;
    if (!name(node)) faults.push(`no name: ${node.outerHTML.slice(0, 90)}`);
    if (node.parentElement.closest("a[href], button, summary")) faults.push(`a control in a control: ${short(node)}`);
    if (node.closest("[aria-hidden=true]")) faults.push(`reached but not read: ${short(node)}`);
  }
  for (const node of all("input:not([type=hidden]), textarea, select"))
    if (visible(node) && !node.labels?.length && !node.getAttribute("aria-label") && !node.getAttribute("aria-labelledby")) faults.push(`no label: ${short(node)}`);
  for (const image of all("img")) if (!image.hasAttribute("alt")) faults.push(`no alt: ${image.src}`);
  for (const item of all("li")) if (!item.parentElement.matches("ol, ul")) faults.push(`an item of no list: ${short(item)}`);
  for (const list of all("ol, ul")) if ([...list.children].some((item) => item.localName !== "li")) faults.push(`a list of other things: ${short(list)}`);
  for (const tab of all("[role=tab]")) if (!tab.closest("[role=tablist]")) faults.push("a tab outside its list");
  const ids = all("[id]").map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) faults.push(`twice: #${id}`);
  for (const attribute of ["aria-describedby", "aria-labelledby", "aria-controls"])
    for (const node of all(`[${attribute}]`))
      for (const id of node.getAttribute(attribute).split(" ").filter(Boolean))
        if (!document.getElementById(id)) faults.push(`${attribute} leads nowhere: ${id}`);
  for (const node of all("[tabindex]")) if (node.tabIndex > 0) faults.push("an order of its own");

  // Landmarks, headings, language.
  if (all("main").length !== 1) faults.push("not one main");
  if (all("body > header").length !== 1) faults.push("not one header");
  if (all("h1").length !== 1) faults.push("not one h1");
  for (const place of all("nav, [role=tablist]"))
    if (visible(place) && !label(place)) faults.push(`a place without a name: ${place.className}`);
  const places = all("nav").filter(visible).map(label);
  if (new Set(places).size !== places.length) faults.push(`two places of one name: ${places}`);
  let level = 1;
  for (const heading of all("h1, h2, h3")) {
    if (!visible(heading) && heading.localName !== "h1") continue;
    if (Number(heading.localName[1]) > level + 1) faults.push(`skips a level: ${heading.textContent}`);
    level = Number(heading.localName[1]);
  }
  if (!["ja", "en"].includes(document.documentElement.lang)) faults.push("no language");
  if (!document.title.trim()) faults.push("no title");

  // Contrast.
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgb = (colour) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
  const known = new Map();
  const colourOf = (colour) => known.get(colour) ?? known.set(colour, rgb(colour)).get(colour);
  const light = (colour) => {
    const [r, g, b] = colour.map((value) => { const part = value / 255; return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) { const colour = colourOf(getComputedStyle(at).backgroundColor); if (colour[3] > 230) return colour; }
    return rgb("Canvas");
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && visible(node) && !node.closest("option, dialog:not([open])")) texts.push(walker.currentNode);
  }
  for (const part of texts) {
    const node = part.parentElement;
    if (node.closest("[disabled]")) continue;
    const style = getComputedStyle(node), size = parseFloat(style.fontSize);
    const [one, other] = [light(colourOf(style.color)), light(ground(node))], ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (ratio < (size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)}: ${part.data.trim().slice(0, 30)}`);
  }

  // Boxes. What floats over the page is held against its own layer only; the news lie in the page.
  const width = document.documentElement.clientWidth;
  const layers = new Map(), cuts = new Map();
  const layerOf = (node) => layers.get(node) ?? layers.set(node, findLayer(node)).get(node);
  const findLayer = (node) => {
    for (let at = node; at && at !== document.body; at = at.parentElement)
      if (!at.matches(".news") && (["fixed", "sticky"].includes(getComputedStyle(at).position) || at.matches("dialog, .menu-box"))) return at;
    return document.body;
  };
  /** What is seen of a box within those of its ancestors that cut. */
  const seenOf = (rect, node) => {
    let { left, right, top, bottom } = rect;
    for (const cut of cuts.get(node) ?? cuts.set(node, findCuts(node)).get(node)) {
      [left, right, top, bottom] = [Math.max(left, cut.left), Math.min(right, cut.right), Math.max(top, cut.top), Math.min(bottom, cut.bottom)];
    }
    return right - left > 1 && bottom - top > 1 ? { left, right, top, bottom } : null;
  };
  const findCuts = (node) => {
    const found = [];
    for (let at = node; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.display !== "inline" && style.overflowX !== "visible") found.push(at.getBoundingClientRect());
    }
    return found;
  };
  const boxes = [];
  const keep = (node, what, rects, inset) => {
    const layer = layerOf(node);
    for (const rect of rects) {
      const seen = seenOf(rect, what === "text" ? node : node.parentElement);
      if (!seen) continue;
      if (seen.left < -0.5 || seen.right > width + 0.5) faults.push(`leaves the screen: ${short(node)}`);
      const main = node.closest("main")?.getBoundingClientRect();
      if (main && (seen.left < main.left - 0.5 || seen.right > main.right + 0.5)) faults.push(`leaves main: ${short(node)}`);
      const shrink = (seen.bottom - seen.top) * inset;
      boxes.push({ node, what, layer, left: seen.left, right: seen.right, top: seen.top + shrink, bottom: seen.bottom - shrink });
    }
  };
  for (const part of texts) {
    const range = document.createRange();
    range.selectNodeContents(part);
    // A line's box is higher than what stands in it.
    keep(part.parentElement, "text", range.getClientRects(), 0.2);
  }
  for (const node of all(controls)) if (visible(node)) keep(node, "control", node.getClientRects(), 0.1);
  for (const image of all("img, svg")) if (visible(image) && !image.closest(".seal")) keep(image, "image", image.getClientRects(), 0);
  boxes.sort((one, other) => one.top - other.top);
  const related = (one, other) => one.node === other.node || one.node.contains(other.node) || other.node.contains(one.node);
  boxes.forEach((one, index) => {
    for (let at = index + 1; at < boxes.length && boxes[at].top < one.bottom - 1; at += 1) {
      const other = boxes[at];
      if (one.layer !== other.layer || related(one, other)) continue;
      if (Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 && Math.min(one.bottom, other.bottom) - other.top > 1)
        faults.push(`over each other: ${short(one.node)} | ${short(other.node)}`);
    }
  });

  // Targets. A box to tick is pressed on its label.
  for (const node of all(controls)) {
    if (!visible(node)) continue;
    const target = node.matches("[type=radio], [type=checkbox], [type=file]") ? node.closest("label, .drop") : node;
    const { width: wide, height: high } = target.getBoundingClientRect();
    const isInline = getComputedStyle(target).display === "inline";
    const least = isInline || !(isTouched || target.matches("button, summary, .button, .tabs a, .orders a")) ? 24 : 44;
    if (high < least - 0.5 || (target.matches("button, summary, .button") && wide < 43.5)) faults.push(`small target: ${short(node)} ${Math.round(wide)}x${Math.round(high)}`);
  }
  return [...new Set(faults)];
}
