import { useInfiniteQuery } from '@tanstack/react-query';
import { errorsPage, type Import, type RowError } from '../../../api/imports.ts';
import { named } from '../../../parts/translate.ts';
import { hasHeaderErrors } from '../import-state.ts';
import { headerErrors } from '../names.ts';

/** Header errors, which come first in the error list. */
export function useHeaderErrors(company: string, job: Import) {
  const { data } = useInfiniteQuery({
    queryKey: [company, 'imports', job.id, 'errors', job.error_count],
    queryFn: ({ pageParam }) => errorsPage(company, job.id, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: hasHeaderErrors(job),
  });
  const all = data?.pages[0]?.data ?? [];
  if (!hasHeaderErrors(job)) return { errors: new Map<string, string>(), ofFile: [] };
  const isOfColumn = ({ column }: RowError) => job.columns.some((each) => each.column === column);
  const errors = new Map(all.filter(isOfColumn).map((error) => [error.column!, messageOf(error)]));
  return { errors, ofFile: all.filter((fieldError) => !isOfColumn(fieldError)) };
}

/** The service's messages address programs; show UI texts instead. */
function messageOf({ code, message }: RowError): string {
  const text = named(headerErrors, code);
  return text === code ? message : text;
}
