/**
 * Notifies listeners in other processes by NOTIFY, outside transactions: a NOTIFY inside a transaction takes a lock that all
 * commits wait for. As long as few do so at once, a notification is sent right behind a commit on the same connection; the rest
 * is sent after the commit, batched per channel.
 */
const pauseMs = 1;
/** The maximum of commits that send a notification at the same time. Listeners wake up once for each. */
const maxInFlight = 3;

interface Commit {
  /**
   * Sends a notification right behind the commit.
   * @returns when it has been sent
   * @throws when it isn't sent, for example because nothing was committed
   */
  send(channel: string, payload: string): Promise<unknown>;
}

export interface Notifier {
  /** Returns immediately. Failures are ignored, because listeners also poll. */
  announce(channel: string, payload: string): void;
  /** Call before the commit. @returns whether it is sent with the commit; otherwise announce it afterwards */
  notifyWithCommit(commit: Commit, channel: string, payload: string): boolean;
  /** Waits for pending notifications. */
  close(): Promise<void>;
}

/** A channel with a notification in progress. */
interface Busy {
  /** The next batch. */
  payloads: Set<string>;
  done: Promise<unknown>;
}

/** @param notify sends NOTIFYs in one transaction */
export function createAnnouncer(notify: (channel: string, payloads: string[]) => Promise<unknown>): Notifier {
  const busy = new Map<string, Busy>();
  const inFlight = new Set<Promise<unknown>>();
  let closed = false;

  const send = async (channel: string, payloads: string[]) => notify(channel, payloads);
  const run = async (channel: string, payloads: Set<string>) => {
    while (payloads.size > 0) {
      const next = [...payloads];
      payloads.clear();
      await send(channel, next).catch(() => {}); // listeners also poll
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
    notifyWithCommit(commit, channel, payload) {
      if (closed || inFlight.size >= maxInFlight) return false;
      const sending: Promise<unknown> = commit.send(channel, payload).then(
        () => inFlight.delete(sending),
        () => inFlight.delete(sending), // nothing was committed, or listeners poll
      );
      inFlight.add(sending);
      return true;
    },
    async close() {
      closed = true;
      await Promise.all([...inFlight, ...[...busy.values()].map(({ done }) => done)]);
    },
  };
}
