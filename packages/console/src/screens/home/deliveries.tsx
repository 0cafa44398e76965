/** Delivery health: a chart, and the same data as a table. */
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { type DeliveryHour, deliveryCountsQuery } from '../../api/attention.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { hourOf, number, weekday } from '../../parts/format.ts';
import { optional } from '../../parts/on-demand.tsx';
import { Loading } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';
import { useInView } from '../../parts/use-in-view.ts';
import { byDay, type Counts, sumOf } from './counts.ts';
import { outcomeNames } from './names.ts';
import { NoChart } from './no-chart.tsx';

/** Load the chart library only when there is data. */
const Chart = optional(async () => (await import('./delivery-chart.tsx')).DeliveryChart, NoChart);

const spans = { day: 24, week: 168 } as const;
type Span = keyof typeof spans;

/** Sends no requests for a company without endpoints. */
export function Deliveries({ company, hasEndpoints }: { company: string; hasEndpoints: boolean }) {
  const [ref, isInView] = useInView<HTMLElement>();
  const [span, setSpan] = useState<Span>('day');
  const {
    data: counts,
    error,
    refetch,
  } = useQuery({
    ...deliveryCountsQuery(company, spans[span]),
    enabled: hasEndpoints && isInView,
  });
  const all = counts && sumOf(counts.data);
  return (
    <section ref={ref} className="panel" aria-labelledby="home-deliveries">
      <div className="row spread full">
        <h2 id="home-deliveries">{t`Deliveries`}</h2>
        <label className="row">
          <span className="unseen">{t`Time range`}</span>
          <select value={span} onChange={({ target }) => setSpan(target.value as Span)}>
            <option value="day">{t`Last 24 hours`}</option>
            <option value="week">{t`Last 7 days`}</option>
          </select>
        </label>
      </div>
      {error && <Problem error={error} retry={refetch} />}
      {hasEndpoints && !counts && !error && <Loading />}
      {(!hasEndpoints || all?.all === 0) && <p className="quiet">{t`No deliveries in this time range.`}</p>}
      {counts && all && all.all > 0 && (
        <>
          <p className="row" role="status">
            <span className="key all">
              {tn(all.all, t`${number(all.all)} delivery`, t`${number(all.all)} deliveries`)}
            </span>
            <span className="key failed">{all.failed === 0 ? t`none failed` : t`${number(all.failed)} failed`}</span>
            {all.waiting > 0 && <span className="quiet">{t`${number(all.waiting)} waiting`}</span>}
            {all.cancelled > 0 && (
              <span className="quiet">
                {tn(all.cancelled, t`${number(all.cancelled)} was canceled`, t`${number(all.cancelled)} were canceled`)}
              </span>
            )}
          </p>
          <Suspense fallback={<div className="chart" />}>
            <Chart
              hours={counts.data}
              label={t`Chart of deliveries by hour: ${number(all.all)} deliveries, ${number(all.failed)} failed. The table below shows the same data.`}
            />
          </Suspense>
          {!counts.is_complete && (
            <p className="quiet">{t`There were too many deliveries to count the earliest hours.`}</p>
          )}
          <details className="more full">
            <summary>{t`Show as a table`}</summary>
            <Table rows={span === 'day' ? hourly(counts.data) : daily(counts.data)} />
          </details>
        </>
      )}
    </section>
  );
}

interface Row extends Counts {
  /** Names repeat when clocks go back. */
  key: string;
  name: string;
}

const hourly = (hours: readonly DeliveryHour[]): Row[] =>
  hours.map((each) => ({ ...sumOf([each]), key: each.hour, name: hourOf(each.hour) }));
const daily = (hours: readonly DeliveryHour[]): Row[] =>
  byDay(hours).map((each) => ({ ...sumOf(each), key: each[0]!.hour, name: weekday(each[0]!.hour) }));

/** Latest first, without empty hours. */
function Table({ rows }: { rows: readonly Row[] }) {
  const visibleRows = rows.filter(({ all }) => all > 0).toReversed();
  return (
    <div className="table">
      <table aria-labelledby="home-deliveries">
        <thead>
          <tr>
            <th scope="col">{t`Time`}</th>
            {(['succeeded', 'failed', 'waiting', 'cancelled'] as const).map((outcome) => (
              <th key={outcome} scope="col" className="figure">
                {outcomeNames()[outcome]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {visibleRows.map(({ key, name, ...counts }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {(['succeeded', 'failed', 'waiting', 'cancelled'] as const).map((outcome) => (
                <td key={outcome} className="figure" data-name={outcomeNames()[outcome]}>
                  {number(counts[outcome])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
