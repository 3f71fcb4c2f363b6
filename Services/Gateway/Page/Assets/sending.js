// One sending, however often it is pressed; and again by itself, where the same may well succeed later.
const shortest = 2_000;
const longest = 30_000;

/**
 * @param {object} plan `attempt()` sends and resolves to whether it was wanted after all; `refused(problem, isWaiting)` says why
 *   it did not go; `changed()` is called whenever the state is another.
 */
export function sending({ attempt, refused, changed }) {
  let retry = null;
  let pause = shortest;
  const self = {
    /** `writing`, `sending`, `waiting` for the next try, or `sent`. */
    state: "writing",
    /** Sends, unless that is under way or done. */
    async go() {
      clearTimeout(retry);
      if (self.state === "sending" || self.state === "sent") return;
      self.state = "sending";
      changed();
      try {
        self.state = (await attempt()) ? "sent" : "writing";
        changed();
      } catch (problem) {
        self.state = problem.isPassing ? "waiting" : "writing";
        changed();
        refused(problem, self.state === "waiting");
        if (self.state !== "waiting") return;
        retry = setTimeout(self.go, pause);
        pause = Math.min(longest, pause * 2);
      }
    },
    /** What waits to be sent is no longer what is wanted. */
    rest() {
      clearTimeout(retry);
      pause = shortest;
      if (self.state === "waiting") self.state = "writing";
    },
  };
  // Back leads to what was sent already.
  addEventListener("pageshow", ({ persisted }) => { if (persisted && self.state === "sent") location.reload(); });
  addEventListener("online", () => {
    if (self.state !== "waiting") return;
    pause = shortest;
    self.go();
  });
  return self;
}
