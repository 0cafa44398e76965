/** A semaphore with a FIFO queue of limited length. */

interface ConcurrencyLimit {
  /** @returns a function that releases the permit; undefined if the queue is full */
  enter(): Promise<(() => void) | undefined>;
}

export function createConcurrencyLimit(inside: number, waiting: number): ConcurrencyLimit {
  let free = inside;
  const queue: (() => void)[] = [];
  const leave = () => {
    const next = queue.shift();
    if (next) next();
    else free++;
  };
  return {
    async enter() {
      if (free > 0) free--;
      else if (queue.length >= waiting) return undefined;
      else await new Promise<void>((resolve) => queue.push(resolve));
      return once(leave);
    },
  };
}

function once(leave: () => void): () => void {
  let hasLeft = false;
  return () => {
    if (hasLeft) return;
    hasLeft = true;
    leave();
  };
}
