// Zip archives, small ones: read with the browser's own inflate, written without compression. No library is loaded, so here is one.
const limits = { packed: 2_000_000, unpacked: 4_000_000, entries: 64 };

export class TooLarge extends Error {}

const table = Uint32Array.from({ length: 256 }, (_, number) => {
  let value = number;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xEDB88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});

function crc32(bytes) {
  let value = 0xFFFFFFFF;
  for (const byte of bytes) value = table[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xFFFFFFFF) >>> 0;
}

/** Inflates, but never to more than was announced. */
async function inflate(bytes, size) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const whole = new Uint8Array(size);
  let length = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    if (length + value.length > size) { await reader.cancel(); throw new Error("longer than announced"); }
    whole.set(value, length);
    length += value.length;
  }
  if (length !== size) throw new Error("shorter than announced");
  return whole;
}

function directory(view) {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 65_557); at -= 1) {
    if (view.getUint32(at, true) !== 0x06054B50) continue;
    return { count: view.getUint16(at + 10, true), start: view.getUint32(at + 16, true) };
  }
  throw new Error("no zip archive");
}

/** The files of an archive by name. Throws where it is damaged, ciphered, or larger than a document may be. */
export async function read(blob) {
  if (blob.size > limits.packed) throw new TooLarge();
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const { count, start } = directory(view);
  if (count > limits.entries) throw new TooLarge();
  const files = new Map();
  let total = 0;
  let at = start;
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== 0x02014B50) throw new Error("damaged directory");
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const [check, packed, size] = [16, 20, 24].map((offset) => view.getUint32(at + offset, true));
    const [name, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const local = view.getUint32(at + 42, true);
    const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + name));
    at += 46 + name + extra + comment;
    if (path.endsWith("/")) continue;
    total += size;
    if (total > limits.unpacked) throw new TooLarge();
    if (flags & 1 || (method !== 0 && method !== 8)) throw new Error("a form that is not read here");
    if (view.getUint32(local, true) !== 0x04034B50) throw new Error("damaged file");
    const from = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    const content = bytes.subarray(from, from + packed);
    const whole = method === 0 ? content.slice() : await inflate(content, size);
    if (whole.length !== size || crc32(whole) !== check) throw new Error("damaged content");
    files.set(path, whole);
  }
  return files;
}

/** An archive of files, given as pairs of name and bytes. */
export function write(files) {
  const parts = [];
  const entries = [];
  let offset = 0;
  const header = (size) => { const view = new DataView(new ArrayBuffer(size)); return [view, new Uint8Array(view.buffer)]; };
  for (const [path, content] of files) {
    const name = new TextEncoder().encode(path);
    const [view, local] = header(30);
    view.setUint32(0, 0x04034B50, true);
    view.setUint16(4, 20, true);
    view.setUint16(6, 0x0800, true); // Names are UTF-8.
    view.setUint16(12, 0x21, true); // 1980-01-01: the same content gives the same bytes.
    view.setUint32(14, crc32(content), true);
    view.setUint32(18, content.length, true);
    view.setUint32(22, content.length, true);
    view.setUint16(26, name.length, true);
    const [central, entry] = header(46);
    central.setUint32(0, 0x02014B50, true);
    central.setUint16(4, 20, true);
    entry.set(local.subarray(4, 30), 6);
    central.setUint32(42, offset, true);
    entries.push(entry, name);
    parts.push(local, name, content);
    offset += 30 + name.length + content.length;
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const [end, last] = header(22);
  end.setUint32(0, 0x06054B50, true);
  end.setUint16(8, files.length, true);
  end.setUint16(10, files.length, true);
  end.setUint32(12, size, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...entries, last], { type: "application/zip" });
}
