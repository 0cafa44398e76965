/**
 * Wakes listeners in other processes by NOTIFY, outside of any transaction: a NOTIFY inside holds a lock that all commits
 * wait for. Announcements that come close together are one.
 */
const pause_ms = 5;

export interface Announcer {
  /** Returns at once. A failure is left to the listeners, who look by themselves now and then. */
  announce(channel: string): void;
  /** Waits for what is on its way. */
  close(): Promise<void>;
}

/** @param notify sends one NOTIFY */
export function createAnnouncer(notify: (channel: string) => Promise<unknown>): Announcer {
  /** A channel that is being announced, and whether it has to be again. */
  const busy = new Map<string, { again: boolean; done: Promise<void> }>();
  let closed = false;

  const run = async (channel: string) => {
    do {
      busy.get(channel)!.again = false;
      try {
        await notify(channel);
      } catch {} // the listeners look by themselves
      await new Promise((resolve) => setTimeout(resolve, closed ? 0 : pause_ms));
    } while (busy.get(channel)!.again);
    busy.delete(channel);
  };
  return {
    announce(channel) {
      const state = busy.get(channel);
      if (closed) return;
      if (state) {
        state.again = true;
        return;
      }
      const entry = { again: false, done: Promise.resolve() };
      busy.set(channel, entry);
      entry.done = run(channel);
    },
    async close() {
      closed = true;
      await Promise.all([...busy.values()].map(({ done }) => done));
    },
  };
}
