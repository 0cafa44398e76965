import { useInfiniteQuery } from '@tanstack/react-query';
import { faultsPage, type Import, type ImportFault } from '../../api/imports.ts';
import { named } from '../../parts/words.ts';
import { hasHeaderFaults } from './import-state.ts';
import { headerErrors } from './names.ts';

/** What is wrong with the headers comes first among the faults of a file. */
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
  if (!hasHeaderFaults(job)) return { faults: new Map<string, string>(), ofFile: [], asked: undefined };
  const isOfColumn = ({ column }: ImportFault) => job.columns.some((each) => each.column === column);
  const faults = new Map(all.filter(isOfColumn).map((fault) => [fault.column!, wordsOf(fault)]));
  // Only the order of dates is open. Its last sentence tells programs what to send.
  const isQuestion = all.length > 0 && all.every(({ code }) => code === 'unclear_dates');
  const asked = isQuestion ? all[0]!.message.replace(/ [^.]*`[^`]*`[^.]*\.$/, '') : undefined;
  return { faults, ofFile: all.filter((fault) => !isOfColumn(fault)), asked };
}

/** The service tells programs what to send; here it is chosen. */
function wordsOf({ code, message }: ImportFault): string {
  const words = named(headerErrors, code);
  return words === code ? message : words;
}
