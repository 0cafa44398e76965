/**
 * The number of workers and the rank of this one, so that few of them do what suffices for all: fifty that respond to each event,
 * or check for crashes every two seconds, would overload the database. The data may be seconds old: it only decides who acts
 * first, and a skipped worker finds the work at its next poll.
 */

export interface WorkerRank {
  readonly count: number;
  /** @param alive names of all processes with a recent heartbeat */
  learn(alive: readonly string[], own: readonly string[]): void;
  /** Whether this process is among the first `limit`. Stable while no process comes or goes. */
  isAmongFirst(limit: number): boolean;
  /**
   * Whether this process is among the `limit` chosen by a draw.
   * @param sample random number from 0 to 1, the same in all processes and new for each question
   */
  isChosen(sample: number, limit: number): boolean;
  /** Random, so that on average `limit` processes take a turn. */
  takesTurn(limit: number): boolean;
}

/** Initially a worker assumes that it is the only one, and does everything. */
export function createPeers(random: () => number = Math.random): WorkerRank {
  let count = 1;
  let rank = 0;
  return {
    get count() {
      return count;
    },
    learn(alive, own) {
      const all = alive.toSorted();
      const found = all.findIndex((id) => own.includes(id));
      [rank, count] = found < 0 ? [0, 1] : [found, all.length];
    },
    isAmongFirst: (limit) => rank < limit,
    isChosen(sample, limit) {
      const first = Math.floor(sample * count) % count;
      return (rank - first + count) % count < limit;
    },
    takesTurn: (limit) => random() * count < limit,
  };
}
