/**
 * Recovers from stale prepared statements. After a column's type changes, each further use fails on that connection ("cached plan
 * must not change result type"). So the process switches all statements to new names, under which every connection prepares them
 * again.
 *
 * Outside a transaction the statement is retried transparently. A transaction is lost: its request gets a 503, and the next one
 * succeeds. The old statements stay until their connection is replaced, within half an hour.
 */
import { isStalePlan } from '../../contract/problem.ts';

let generation = 0;

/** The statement's current name on connections. */
export function planName(name: string): string {
  return generation === 0 ? name : `${name}.${generation}`;
}

/** Sends a statement, and retries once if its plan is stale. @param mayRepeat never in a transaction */
export async function withFreshPlan<T>(send: () => Promise<T>, mayRepeat: () => boolean): Promise<T> {
  const sentIn = generation;
  try {
    return await send();
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    if (generation === sentIn) generation++; // the first to notice switches for all
    if (!mayRepeat()) throw error;
    return send();
  }
}
