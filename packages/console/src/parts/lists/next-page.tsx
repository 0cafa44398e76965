/** Loads further pages of a list, and shows their errors. */
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Problem } from '../errors/problem.tsx';

type List = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetching' | 'error' | 'isFetchNextPageError' | 'fetchNextPage'
>;

/** Tables call it on every rendering: does nothing during a request, or after an error. */
export function loadNextPage({ hasNextPage, isFetching, error, fetchNextPage }: List): void {
  if (hasNextPage && !isFetching && !error) void fetchNextPage({ cancelRefetch: false });
}

/** The error of the next page, for below the rows. */
export function NextPageProblem({ list: { error, isFetchNextPageError, fetchNextPage } }: { list: List }) {
  return isFetchNextPageError ? <Problem error={error} retry={() => void fetchNextPage()} /> : null;
}
