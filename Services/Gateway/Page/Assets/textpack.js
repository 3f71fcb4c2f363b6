// TextPack: a zipped TextBundle of a text and at most one picture. Its text is `# title`, an empty line, the body and, last, a
// link to the picture.
import { read as unzip, write as zip } from "./zip.js";

const types = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif", heic: "image/heic" };
const link = /\n*!\[[^\]\n]*\]\(([^)\n]+)\)\s*$/;

/** The text, without the link to its picture, and the picture as a blob or null. */
export async function open(blob) {
  const files = await unzip(blob);
  const path = [...files.keys()].find((name) => /(^|\/)text\.(md|markdown|txt)$/i.test(name));
  if (!path) throw new Error("no text");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(files.get(path)).replace(/\r\n?/g, "\n");
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const address = text.match(link)?.[1];
  const linked = address && `${folder}${decodeURIComponent(address)}`;
  const asset = files.has(linked) ? linked : [...files.keys()].find((name) => name.startsWith(`${folder}assets/`) && type(name));
  const picture = asset ? new Blob([files.get(asset)], { type: type(asset) ?? "" }) : null;
  return { text: (files.has(linked) ? text.replace(link, "") : text).trimEnd(), picture };
}

const type = (name) => types[name.split(".").at(-1).toLowerCase()];

/** A package of a text and a picture. */
export async function pack(text, picture) {
  const encoder = new TextEncoder();
  const extension = Object.keys(types).find((key) => types[key] === picture?.type) ?? "jpg";
  const asset = `assets/image.${extension}`;
  const whole = picture ? `${text.trimEnd()}\n\n![](${asset})\n` : `${text.trimEnd()}\n`;
  const info = { version: 2, type: "net.daringfireball.markdown", transient: false, creatorIdentifier: "keijiban" };
  const files = [["info.json", encoder.encode(JSON.stringify(info))], ["text.md", encoder.encode(whole)]];
  if (picture) files.push([asset, new Uint8Array(await picture.arrayBuffer())]);
  return zip(files.map(([name, content]) => [`document.textbundle/${name}`, content]));
}

/** Title and body of a document's text. */
export function parts(text) {
  const found = text.match(/^\s*#[ \t]+([^\n]*)\n*([\s\S]*)$/);
  return found ? { title: found[1].trim(), body: found[2].trimEnd() } : { title: "", body: text.trim() };
}
