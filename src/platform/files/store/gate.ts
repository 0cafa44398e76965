/** Limits how many tasks run at the same time; others wait in their order. */

interface Gate {
  /** @returns what to call when done; undefined when too many wait already */
  enter(): Promise<(() => void) | undefined>;
}

export function createGate(inside: number, waiting: number): Gate {
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
  let left = false;
  return () => {
    if (left) return;
    left = true;
    leave();
  };
}
