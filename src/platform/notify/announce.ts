/**
 * Wakes listeners in other processes by NOTIFY, outside of any transaction: a NOTIFY inside holds a lock that all commits
 * wait for. What is to be said leaves right behind a commit, on its connection; what comes up while something is being said
 * is said together, soon after.
 */
const pause_ms = 1;

/** The end of a transaction. */
interface Commit {
  /**
   * Says something right behind the commit.
   * @returns when it has been said
   * @throws when it is not said, as when nothing was committed
   */
  say(channel: string, payload: string): Promise<unknown>;
}

export interface Announcer {
  /** Returns at once. A failure is left to the listeners, who look by themselves now and then. */
  announce(channel: string, payload: string): void;
  /**
   * Before a commit.
   * @returns whether it is said with it; else it is to be announced afterwards
   */
  announceBehind(commit: Commit, channel: string, payload: string): boolean;
  /** Waits for what is on its way. */
  close(): Promise<void>;
}

/** What is being said on a channel. */
interface Busy {
  /** To be said next. */
  payloads: Set<string>;
  /** There is something to be said next. */
  onMore(): void;
  done: Promise<unknown>;
}

/** @param notify sends NOTIFYs in one transaction */
export function createAnnouncer(notify: (channel: string, payloads: string[]) => Promise<unknown>): Announcer {
  const busy = new Map<string, Busy>();
  let closed = false;

  const run = async (channel: string, payloads: Set<string>, first: Promise<unknown>) => {
    let said = first;
    do {
      await said.catch(() => {}); // the listeners look by themselves
      await new Promise((resolve) => setTimeout(resolve, closed ? 0 : pause_ms));
      const next = [...payloads];
      payloads.clear();
      if (next.length === 0) busy.delete(channel);
      else said = say(channel, next);
    } while (busy.has(channel));
  };
  const say = async (channel: string, payloads: string[]) => notify(channel, payloads);
  const begin = (channel: string, first: Promise<unknown>, onMore = () => {}) => {
    const payloads = new Set<string>();
    const entry: Busy = { payloads, onMore, done: Promise.resolve() };
    busy.set(channel, entry);
    entry.done = run(channel, payloads, first);
    return entry;
  };
  return {
    announce(channel, payload) {
      if (closed) return;
      const state = busy.get(channel);
      if (!state) begin(channel, say(channel, [payload]));
      state?.payloads.add(payload);
      state?.onMore();
    },
    announceBehind(commit, channel, payload) {
      if (closed || busy.has(channel)) return false;
      // A commit may take long, and who has committed meanwhile does not wait for it.
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const entry = begin(channel, promise, () => resolve(undefined));
      const said = commit.say(channel, payload).then(resolve, resolve);
      entry.done = Promise.all([entry.done, said]);
      return true;
    },
    async close() {
      closed = true;
      await Promise.all([...busy.values()].map(({ done }) => done));
    },
  };
}
