/** What is asked of several companies, of which some may be on a machine of a cluster that is lost. */
import { isUnavailable } from '../../contract/problem.ts';

/**
 * @param asked one question for each company, which were all begun
 * @returns the answers of those that can be reached
 * @throws what the first failed with, when none can be reached; any other error
 */
export async function fromReachable<T>(asked: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(asked);
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const other = failures.find((error) => !isUnavailable(error));
  if (other) throw other;
  if (failures.length > 0 && failures.length === settled.length) throw failures[0];
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
