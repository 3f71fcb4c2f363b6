// One picture: picked, dropped or pasted; made smaller where it is too large.
import { words } from "./words.js";
import { element, find } from "./dom.js";

const limit = 1_000_000;
const kinds = ["image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/heif"];

async function encode(bitmap, scale, quality) {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext("2d");
  // JPEG has no transparency.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality));
}

/** The picture with at most 1,000,000 bytes; null where that cannot be. */
export async function shrunk(blob) {
  if (blob.size <= limit) return blob;
  const bitmap = await createImageBitmap(blob).catch(() => null);
  if (!bitmap) return null;
  try {
    const first = Math.min(1, 2_400 / Math.max(bitmap.width, bitmap.height));
    for (let scale = first; scale > first / 20; scale *= 0.7) {
      for (const quality of [0.88, 0.76]) {
        const smaller = await encode(bitmap, scale, quality);
        if (smaller && smaller.size <= limit) return smaller;
      }
    }
    return null;
  } finally {
    bitmap.close();
  }
}

async function size(blob) {
  const bitmap = await createImageBitmap(blob).catch(() => null);
  const found = { width: bitmap?.width ?? 700, height: bitmap?.height ?? 500 };
  bitmap?.close();
  return found;
}

/** The field for a picture within `root`. `changed(isByHand)` is called whenever what it holds is another. */
export function pictureField(root, changed) {
  const input = find("#picture", root);
  const drop = find("#drop", root);
  const picked = find("#picked", root);
  const away = find("#picture-remove", root);
  const says = find("#imageId-says", root);
  const field = { blob: null, image: null, isBusy: false };
  let takes = 0;

  function show() {
    const { image } = field;
    picked.hidden = away.hidden = !image;
    find(".pick", drop).hidden = Boolean(image);
    find(":scope > .icon", drop).toggleAttribute("hidden", Boolean(image));
    picked.replaceChildren(...(image ? [element("img", { src: image.thumbnailUrl, alt: words("picture"), width: 96, height: 96 })] : []));
  }

  function put(blob, image) {
    if (field.image?.displayUrl.startsWith("blob:")) URL.revokeObjectURL(field.image.displayUrl);
    Object.assign(field, { blob, image });
    show();
  }

  /** Shows a picture that is there already, on the server. */
  field.showStored = (image) => put(null, image);

  /** Takes a picture in; says why where it cannot. */
  field.take = async (blob, isByHand = true) => {
    says.textContent = "";
    if (blob.type && !kinds.includes(blob.type)) { says.textContent = words("picture.unknown"); return; }
    takes += 1;
    const number = takes;
    field.isBusy = true;
    changed(isByHand);
    if (blob.size > limit) says.textContent = words("picture.shrinking");
    const small = await shrunk(blob);
    const shape = small && await size(small);
    // Another was picked, or this one taken away, while it was made smaller.
    if (number !== takes) return;
    field.isBusy = false;
    says.textContent = small ? "" : words("picture.tooLarge");
    if (small) {
      const address = URL.createObjectURL(small);
      put(small, { displayUrl: address, thumbnailUrl: address, ...shape });
    }
    changed(isByHand);
  };

  field.clear = () => { takes += 1; field.isBusy = false; put(null, null); input.value = ""; changed(true); };

  field.say = (text) => { says.textContent = text; };

  input.addEventListener("change", () => { if (input.files[0]) field.take(input.files[0]); });
  away.addEventListener("click", () => { field.clear(); input.focus(); });
  for (const name of ["dragover", "dragenter"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const file = event.dataTransfer.files[0];
    if (file) field.take(file);
  });
  document.addEventListener("paste", (event) => {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith("image/"));
    // What an office program copies is a text first, and a picture of it.
    if (file && !event.clipboardData.types.includes("text/plain")) { event.preventDefault(); field.take(file); }
  });
  return field;
}
