/** Runs tasks one after another, whether or not the previous one succeeds. */
type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function inTurn(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {}); // its caller gets the error
    return done;
  };
}
