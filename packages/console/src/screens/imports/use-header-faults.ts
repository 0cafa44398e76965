import { useInfiniteQuery } from '@tanstack/react-query';
import { faultsPage, type Import, type ImportFault } from '../../api/imports.ts';
import { named } from '../../parts/words.ts';
import { hasHeaderFaults } from './import-state.ts';
import { headerErrors } from './names.ts';

/** Header errors, which come first in the error list. */
export function useHeaderFaults(company: string, job: Import) {
  const { data } = useInfiniteQuery({
    queryKey: [company, 'imports', job.id, 'faults', job.error_count],
    queryFn: ({ pageParam }) => faultsPage(company, job.id, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: hasHeaderFaults(job),
  });
  const all = data?.pages[0]?.data ?? [];
  if (!hasHeaderFaults(job)) return { faults: new Map<string, string>(), ofFile: [] };
  const isOfColumn = ({ column }: ImportFault) => job.columns.some((each) => each.column === column);
  const faults = new Map(all.filter(isOfColumn).map((fault) => [fault.column!, wordsOf(fault)]));
  return { faults, ofFile: all.filter((fault) => !isOfColumn(fault)) };
}

/** The service's messages address programs; show UI texts instead. */
function wordsOf({ code, message }: ImportFault): string {
  const words = named(headerErrors, code);
  return words === code ? message : words;
}
