/** Errors of a file, by cell. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { errorsPage, type Import, type RowError } from '../../../api/imports.ts';
import { Problem } from '../../../parts/errors/problem.tsx';
import { number } from '../../../parts/format.ts';
import { type Column, LongTable } from '../../../parts/lists/long-table.tsx';
import { loadNextPage, NextPageProblem } from '../../../parts/lists/next-page.tsx';
import { Loading } from '../../../parts/small.tsx';
import { t, tn } from '../../../parts/translate.ts';
import { fieldName } from './field-name.ts';

export function Errors({ company, job }: { company: string; job: Import }) {
  const list = useInfiniteQuery({
    queryKey: [company, 'imports', job.id, 'errors', job.error_count],
    queryFn: ({ pageParam }) => errorsPage(company, job.id, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const errors = list.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-labelledby="row-errors">
      <h2 id="row-errors">
        {tn(job.error_count, t`${number(job.error_count)} error to fix`, t`${number(job.error_count)} errors to fix`)}
      </h2>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!errors && !list.error && <Loading />}
      {errors && (
        <LongTable
          labelledBy="row-errors"
          rows={errors}
          columns={columnsOf()}
          keyOf={({ row, column, field, code }) => `${row} ${column} ${field} ${code}`}
          onEnd={() => loadNextPage(list)}
        />
      )}
      <NextPageProblem list={list} />
    </section>
  );
}

function columnsOf(): Column<RowError>[] {
  return [
    {
      name: 'cell',
      title: t`Cell`,
      isName: true,
      // Spreadsheet notation.
      cell: ({ row, column, field }) => (
        <>
          <strong>{column ? `${column}${row}` : t`Row ${row}`}</strong> {field && fieldName(field)}
        </>
      ),
    },
    {
      name: 'value',
      title: t`Value`,
      hasLabel: true,
      cell: ({ value }) => {
        if (value === undefined) return t`hidden from you`;
        return value === null ? <span className="quiet">{t`empty`}</span> : <code>{value}</code>;
      },
    },
    {
      name: 'error',
      title: t`Error`,
      cell: ({ message }) => message,
    },
  ];
}
