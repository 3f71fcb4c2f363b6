// The list of threads.
import { find } from "./dom.js";
import { frame, isReady } from "./frame.js";
import { getFresh } from "./api.js";
import { add, remove, shown, update } from "./list.js";
import { follow, gone } from "./live.js";
import { announce, isAnnounced, withdraw } from "./news.js";
import { putCounts } from "./render.js";
import { keepTimes } from "./time.js";
import { me } from "./session.js";

const phrase = "news.threads";
const list = await frame();

function arrive(thread) {
  if (shown(list, thread.id)) update(list, thread);
  else if (thread.author.id === me.id) add(list, [thread], true);
  else announce(list, [thread], phrase);
}

if (list) {
  const isLatest = !new URLSearchParams(location.search).get("cursor") && list.dataset.source.includes("order=latest");
  follow("/v1/live", {
    async opened(position) {
      const page = await getFresh(list.dataset.source, { position }).catch(() => ({ items: [] }));
      for (const thread of page.items) {
        if (shown(list, thread.id)) update(list, thread);
        else if (isLatest && !isAnnounced(thread.id)) arrive(thread);
      }
      keepTimes.now();
    },
    heard: {
      counts({ threads = [] }) {
        for (const { id, ...values } of threads) {
          const row = shown(list, id);
          if (row) putCounts(row, values);
        }
      },
      "thread.created": (thread) => { if (isLatest && thread.title !== undefined) arrive(thread); },
      "thread.deleted"(data) {
        remove(list, gone(data));
        withdraw(list, gone(data), phrase);
      },
    },
  });
}

find(".orders [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
isReady();
