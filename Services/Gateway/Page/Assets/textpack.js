// TextPack: a zipped TextBundle of a text and at most one picture. Its text is `# title`, an empty line, the body and, last, a
// link to the picture.
import { read as unzip, write as zip } from "./zip.js";

const types = { jpg: "image/jpeg", jpeg: "image/jpeg", png: "image/png", webp: "image/webp", gif: "image/gif", heic: "image/heic" };
const link = /\n*!\[[^\]\n]*\]\(([^)\n]+)\)\s*$/;

/** A link's address as a path; what is no escape stands for itself. */
function decoded(address) {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/**
 * A document as it was opened: its `text` without the link to its picture, its `picture` as a blob or null, and what `saved` needs
 * to give back everything else as it was.
 */
export async function open(blob) {
  const files = await unzip(blob);
  const path = [...files.keys()].find((name) => /(^|\/)text\.(md|markdown|txt)$/i.test(name));
  if (!path) throw new Error("no text");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(files.get(path)).replace(/\r\n?/g, "\n");
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [written, address] = text.match(link) ?? [];
  const linked = [address, address && decoded(address)].map((name) => folder + name).find((name) => files.has(name));
  const asset = linked ?? [...files.keys()].find((name) => name.startsWith(`${folder}assets/`) && type(name)) ?? null;
  const picture = asset ? new Blob([files.get(asset)], { type: type(asset) ?? "" }) : null;
  return { text: (linked ? text.replace(link, "") : text).trimEnd(), picture, files, path, folder, asset, link: linked ? written.trim() : "" };
}

const type = (name) => types[name.split(".").at(-1).toLowerCase()];
const extension = (picture) => Object.keys(types).find((key) => types[key] === picture.type) ?? "jpg";
const whole = (text, link) => new TextEncoder().encode(link ? `${text.trimEnd()}\n\n${link}\n` : `${text.trimEnd()}\n`);

/** A package of a text and a picture, and nothing else. */
export async function pack(text, picture) {
  const asset = picture && `assets/image.${extension(picture)}`;
  const info = { version: 2, type: "net.daringfireball.markdown", transient: false, creatorIdentifier: "keijiban" };
  const files = [["info.json", new TextEncoder().encode(JSON.stringify(info))], ["text.md", whole(text, asset && `![](${asset})`)]];
  if (picture) files.push([asset, new Uint8Array(await picture.arrayBuffer())]);
  return zip(files.map(([name, content]) => [`document.textbundle/${name}`, content]));
}

/**
 * The document that was opened, with another text. Its picture stays byte for byte where `picture` is undefined; another takes its
 * place, and null takes it away. All its other files stay.
 */
export async function saved(document, text, picture) {
  const { path, folder, asset } = document;
  const files = new Map(document.files);
  let { link } = document;
  if (picture !== undefined) {
    if (asset) files.delete(asset);
    link = "";
  }
  if (picture) {
    let name = `assets/image.${extension(picture)}`;
    for (let number = 2; files.has(folder + name); number += 1) name = `assets/image-${number}.${extension(picture)}`;
    files.set(folder + name, new Uint8Array(await picture.arrayBuffer()));
    link = `![](${name})`;
  }
  files.set(path, whole(text, link));
  return zip([...files]);
}

/** Title and body of a document's text. */
export function parts(text) {
  const found = text.match(/^\s*#[ \t]+([^\n]*)\n*([\s\S]*)$/);
  return found ? { title: found[1].trim(), body: found[2].trimEnd() } : { title: "", body: text.trim() };
}
