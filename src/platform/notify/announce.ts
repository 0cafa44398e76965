/**
 * Wakes listeners in other processes by NOTIFY, outside of any transaction: a NOTIFY inside holds a lock that all commits
 * wait for. What is to be said leaves right behind a commit, on its connection, while few others do so; the rest is said
 * once it has committed. What comes up while that is being said is said together, soon after.
 */
const pauseMs = 1;
/** Commits under way that each say something. Listeners are woken once for each. */
const mostBehind = 3;

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

/** What is being said on a channel, outside of any commit. */
interface Busy {
  /** To be said next. */
  payloads: Set<string>;
  done: Promise<unknown>;
}

/** @param notify sends NOTIFYs in one transaction */
export function createAnnouncer(notify: (channel: string, payloads: string[]) => Promise<unknown>): Announcer {
  const busy = new Map<string, Busy>();
  const behind = new Set<Promise<unknown>>();
  let closed = false;

  const say = async (channel: string, payloads: string[]) => notify(channel, payloads);
  const run = async (channel: string, payloads: Set<string>) => {
    while (payloads.size > 0) {
      const next = [...payloads];
      payloads.clear();
      await say(channel, next).catch(() => {}); // the listeners look by themselves
      await new Promise((resolve) => setTimeout(resolve, closed ? 0 : pauseMs));
    }
    busy.delete(channel);
  };
  return {
    announce(channel, payload) {
      if (closed) return;
      const state = busy.get(channel);
      if (state) return void state.payloads.add(payload);
      const payloads = new Set([payload]);
      const entry: Busy = { payloads, done: Promise.resolve() };
      busy.set(channel, entry);
      entry.done = run(channel, payloads);
    },
    announceBehind(commit, channel, payload) {
      if (closed || behind.size >= mostBehind) return false;
      const said: Promise<unknown> = commit.say(channel, payload).then(
        () => behind.delete(said),
        () => behind.delete(said), // nothing was committed, or the listeners look by themselves
      );
      behind.add(said);
      return true;
    },
    async close() {
      closed = true;
      await Promise.all([...behind, ...[...busy.values()].map(({ done }) => done)]);
    },
  };
}
