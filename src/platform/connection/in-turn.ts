/** Work that waits for the work before it, whatever comes of that. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {}); // whoever asked for it hears of it
    return done;
  };
}
