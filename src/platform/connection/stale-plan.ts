/**
 * A statement that Postgres keeps returns columns of the types that it was prepared with. When the type of one is changed,
 * the next use fails ("cached plan must not change result type"), and so does each after it on that connection. So all
 * statements of this process get other names from then on, under which every connection prepares them anew.
 *
 * What stands outside of a transaction is sent again at once, and nobody notices. A transaction in which it happens is lost:
 * its request is answered with 503, and the next one succeeds.
 *
 * What was kept under the names before stays with a connection until it ends, within the half hour.
 */
import { isStalePlan } from '../../contract/problem.ts';

let generation = 0;

/** The name under which connections keep a statement now. */
export function planName(name: string): string {
  return generation === 0 ? name : `${name}.${generation}`;
}

/**
 * Sends a statement, and once more when its plan is stale.
 * @param mayRepeat asked then; in a transaction nothing can be repeated
 */
export async function withFreshPlan<T>(send: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  const sentIn = generation;
  try {
    return await send();
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    if (generation === sentIn) generation++; // the first that finds it out does so for all
    if (!mayRepeat()) throw error;
    return send();
  }
}
