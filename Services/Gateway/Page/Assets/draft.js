// Drafts: what is typed outlives a reload, a crash and a lost connection. Texts lie in local storage, pictures in a database.
const prefix = "keijiban draft ";

function pictures(mode, action) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("keijiban", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pictures");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("pictures", mode);
      const request = action(transaction.objectStore("pictures"));
      transaction.oncomplete = () => { resolve(request.result); opening.result.close(); };
      transaction.onerror = () => { reject(transaction.error); opening.result.close(); };
    };
  });
}

/** A draft by its name. What is kept is its owner's; `sent` in it is what is known of attempts to send it. */
export function draft(name) {
  const place = prefix + name;
  return {
    load() {
      try {
        return JSON.parse(localStorage.getItem(place) ?? "null");
      } catch {
        return null;
      }
    },
    /** Returns whether it could be kept: storage may be full, or forbidden. */
    save(state) {
      try {
        localStorage.setItem(place, JSON.stringify(state));
        return true;
      } catch {
        return false;
      }
    },
    picture: () => pictures("readonly", (store) => store.get(name)).catch(() => undefined),
    savePicture: (blob) => pictures("readwrite", (store) => blob ? store.put(blob, name) : store.delete(name)).catch(() => {}),
    /** Calls `action` with what stood there when another tab clears it. */
    whenCleared(action) {
      addEventListener("storage", ({ key, oldValue, newValue }) => { if (key === place && newValue === null && oldValue) action(JSON.parse(oldValue)); });
    },
    async clear() {
      try { localStorage.removeItem(place); } catch { /* Where nothing can be kept, nothing is. */ }
      await this.savePicture(null);
    },
  };
}

/** Forgets every draft, with the account. */
export function forgetDrafts() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  indexedDB.deleteDatabase("keijiban");
}

/** A key for a request that may be sent again. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The same key for the same content at the same address, whatever it is sent for; another for another. */
export function keyOf(sent, content, target) {
  if (sent.content !== content || !sent.keys) Object.assign(sent, { content, keys: {} });
  sent.keys[target] ??= newKey();
  return sent.keys[target];
}
