/** A bulk update of any number of people, in requests of the allowed size. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type BulkItem, type BulkResult, bulkLimit, bulkUpdate } from '../../../api/people.ts';

export type BulkResults = BulkResult['results'];

/** After an outage, the next attempt continues. @param onSuccess also called if stopped early */
export function useBulkUpdate(
  company: string,
  items: readonly BulkItem[],
  isDryRun: boolean,
  onSuccess?: (results: BulkResults) => void,
) {
  const queries = useQueryClient();
  const [results, setResults] = useState<BulkResults>([]);
  /** Incremented to end a run after its current request. */
  const run = useRef(0);
  const { mutate, reset, isPending, isSuccess, error } = useMutation({
    mutationFn: async () => {
      const own = run.current;
      let done = results;
      while (done.length < items.length && run.current === own) {
        const from = done.length;
        const part = await bulkUpdate(company, items.slice(from, from + bulkLimit), isDryRun);
        done = [...done, ...part.results.map((each) => ({ ...each, index: from + each.index }))];
        if (run.current === own) setResults(done);
      }
      return done;
    },
    onSettled: () => (isDryRun ? undefined : queries.invalidateQueries({ queryKey: [company, 'people'] })),
    ...(onSuccess && { onSuccess }),
  });
  return {
    start: () => mutate(),
    stop: () => {
      run.current += 1;
    },
    reset: () => {
      run.current += 1;
      reset();
      setResults([]);
    },
    results,
    isPending,
    isSuccess,
    error,
  };
}

export function countOf(results: BulkResults, expected: string): number {
  return results.filter(({ status }) => status === expected).length;
}
