/** Headcount by month and department as charts, with the same data as a table. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { type HeadcountDepartment, type HeadcountMonth, headcountQuery } from '../../api/headcount.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { longMonth, number } from '../../parts/format.ts';
import { optional } from '../../parts/on-demand.tsx';
import { Loading } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';
import { useInView } from '../../parts/use-in-view.ts';
import { NoChart } from './no-chart.tsx';

/** Load the chart library only when there is data. */
const Charts = optional(async () => (await import('./headcount-charts.tsx')).HeadcountCharts, NoChart);

export function Headcount({ company }: { company: string }) {
  const [ref, isInView] = useInView<HTMLElement>();
  const { data, error, refetch } = useQuery({ ...headcountQuery(company), enabled: isInView });
  return (
    <section ref={ref} className={data ? 'panel' : 'panel reserved'} aria-labelledby="home-headcount">
      <h2 id="home-headcount">{t`Headcount`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Summary headcount={data.headcount} months={data.months} />
          <Suspense fallback={<div className="reserved" />}>
            <Charts
              months={data.months}
              labels={{
                headcount: t`Chart of the headcount by month. The table below shows the same data.`,
                moves: t`Chart of joiners and leavers by month. The table below shows the same data.`,
              }}
            />
          </Suspense>
          <details className="more full">
            <summary>{t`Show months as a table`}</summary>
            <Table months={data.months} />
          </details>
          <h3 id="home-departments">{t`By department`}</h3>
          <Departments company={company} departments={data.departments} others={data.other_departments} />
        </>
      )}
    </section>
  );
}

function Summary({ headcount, months }: { headcount: number; months: readonly HeadcountMonth[] }) {
  const joiners = months.reduce((sum, each) => sum + each.joiners, 0);
  const leavers = months.reduce((sum, each) => sum + each.leavers, 0);
  return (
    <p className="row" role="status">
      <strong>{tn(headcount, t`${number(headcount)} person`, t`${number(headcount)} people`)}</strong>
      <span className="quiet">{t`in the last 12 months:`}</span>
      <span className="key">{tn(joiners, t`${number(joiners)} joiner`, t`${number(joiners)} joiners`)}</span>
      <span className="key failed">{tn(leavers, t`${number(leavers)} leaver`, t`${number(leavers)} leavers`)}</span>
    </p>
  );
}

/** Latest first. */
function Table({ months }: { months: readonly HeadcountMonth[] }) {
  const names = { headcount: t`Headcount`, joiners: t`Joiners`, leavers: t`Leavers` };
  const columns = ['headcount', 'joiners', 'leavers'] as const;
  return (
    <div className="table">
      <table aria-labelledby="home-headcount">
        <thead>
          <tr>
            <th scope="col">{t`Month`}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="figure">
                {names[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {months.toReversed().map(({ month, ...counts }) => (
            <tr key={month}>
              <th scope="row">{longMonth(month)}</th>
              {columns.map((column) => (
                <td key={column} className="figure" data-name={names[column]}>
                  {number(counts[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DepartmentsProps {
  company: string;
  departments: readonly HeadcountDepartment[];
  others: number;
}

/** A list is a chart that screen readers read: the bars only repeat its numbers. One of all others would dwarf them. */
function Departments({ company, departments, others }: DepartmentsProps) {
  const most = departments[0]?.headcount ?? 1;
  return (
    <ul className="bar-list" aria-labelledby="home-departments">
      {departments.map(({ department, headcount }) => (
        <li key={department}>
          <Link to="/$company/people" params={{ company }} search={{ department }}>
            {department}
          </Link>
          <Bar share={headcount / most} />
          <span className="figure">{number(headcount)}</span>
        </li>
      ))}
      {others > 0 && (
        <li>
          <span className="quiet">{t`All others`}</span>
          <span />
          <span className="figure">{number(others)}</span>
        </li>
      )}
    </ul>
  );
}

function Bar({ share }: { share: number }) {
  return (
    <span className="bar-room" aria-hidden="true">
      <span style={{ width: `${share * 100}%` }} />
    </span>
  );
}
