/** Queries for several companies, some of which may be on a lost machine of a cluster. */
import { isUnavailable } from '../../contract/problem.ts';

/**
 * @param queries one running query for each company
 * @returns the results of the reachable companies
 * @throws the first error if none is reachable, and any error of another kind
 */
export async function settleReachable<T>(queries: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(queries);
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = failures.find((error) => !isUnavailable(error));
  if (other) throw other;
  if (failures.length > 0 && failures.length === settled.length) throw failures[0];
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
