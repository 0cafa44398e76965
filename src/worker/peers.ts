/**
 * How many workers there are, and which of them this one is, so that not all of them do what a few can do for all. Fifty that
 * answer each event, or look every two seconds for what a crash left behind, would give the database more to do than the work.
 *
 * What is known here may be some seconds old. It decides only who is first: whoever is passed over finds the work a poll later.
 */

export interface Peers {
  readonly count: number;
  /**
   * @param alive names of all processes whose workers have given a sign of life lately
   * @param own those among them that are this process
   */
  learn(alive: readonly string[], own: readonly string[]): void;
  /** Whether this is one of the first so many. They stay the same while nobody comes or goes. */
  isAmongFirst(places: number): boolean;
  /**
   * Whether this is one of the so many who answer.
   * @param draw the same for all, from 0 to 1: another for each question, so that each has their turn
   */
  isChosen(draw: number, places: number): boolean;
  /** By chance, so that on average so many of all do at a time. */
  takesTurn(places: number): boolean;
}

/** Until it knows better, a worker takes itself for the only one, and does everything. */
export function createPeers(random: () => number = Math.random): Peers {
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
    isAmongFirst: (places) => rank < places,
    isChosen(draw, places) {
      const first = Math.floor(draw * count) % count;
      return (rank - first + count) % count < places;
    },
    takesTurn: (places) => random() * count < places,
  };
}
