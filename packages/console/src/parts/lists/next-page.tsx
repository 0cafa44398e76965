/** Further pages of a list. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Problem } from '../problem.tsx';

type List = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetching' | 'error' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** Called on every rendering of a table: does nothing while the page is requested, or after an error. */
export function loadNextPage({ hasNextPage, isFetching, error, fetchNextPage }: List): void {
  if (hasNextPage && !isFetching && !error) void fetchNextPage({ cancelRefetch: false });
}

/** Shown below the rows, where the next page is missing. */
export function NextPageProblem({ list: { error, isFetchNextPageError, fetchNextPage } }: { list: List }) {
  return isFetchNextPageError ? <Problem error={error} retry={() => void fetchNextPage()} /> : null;
}
