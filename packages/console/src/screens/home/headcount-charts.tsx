/** Headcount at the end of each month, and beside it joiners above and leavers below the line. */
import { useCallback, useMemo } from 'react';
import type { HeadcountMonth } from '../../api/headcount.ts';
import { number, shortMonth } from '../../parts/format.ts';
import { t } from '../../parts/translate.ts';
import { barsOf, Plot, type Style, wholeSteps } from './plot.tsx';

interface ChartsProps {
  months: readonly HeadcountMonth[];
  /** Labels for screen readers. */
  labels: { headcount: string; moves: string };
}

export function HeadcountCharts({ months, labels }: ChartsProps) {
  const [total, moves] = useMemo(() => {
    const positions = months.map((_, at) => at);
    const joinerValues = months.map(({ joiners }) => joiners);
    const leaverValues = months.map(({ leavers }) => -leavers);
    return [
      [positions, months.map(({ headcount }) => headcount)],
      [positions, joinerValues, leaverValues],
    ] as [[number[], number[]], [number[], number[], number[]]];
  }, [months]);
  const totalOptions = useCallback((style: Style) => ({ ...frame(style, months), ...ofTotal(style) }), [months]);
  const moveOptions = useCallback((style: Style) => ({ ...frame(style, months), ...ofMoves(style) }), [months]);
  return (
    <div className="chart-pair">
      <figure>
        <figcaption>{t`Headcount at the end of the month`}</figcaption>
        <Plot label={labels.headcount} data={total} options={totalOptions} />
      </figure>
      <figure>
        <figcaption>{t`Joiners and leavers`}</figcaption>
        <Plot label={labels.moves} data={moves} options={moveOptions} />
      </figure>
    </div>
  );
}

function frame({ axis, grid }: Style, months: readonly HeadcountMonth[]) {
  return {
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 56,
        incrs: [1, 2, 3, 6],
        values: (_plot: unknown, splits: number[]) =>
          splits.map((at) => (months[at] ? shortMonth(months[at].month) : '')),
      },
      {
        ...axis,
        grid,
        size: 52,
        incrs: wholeSteps,
        // Leavers are below the line, and still a number of people.
        values: (_plot: unknown, splits: number[]) => splits.map((each) => number(Math.abs(each))),
      },
    ],
  };
}

// Center the bars on their months.
const x = {
  time: false,
  range: (_plot: unknown, first: number, last: number): [number, number] => [first - 0.6, last + 0.6],
};

const ofTotal = (style: Style) => ({
  scales: {
    x,
    y: { range: (_plot: unknown, _min: number, max: number): [number, number] => [0, Math.max(max, 4) * 1.05] },
  },
  series: [{}, barsOf(style, '--accent')],
});

const ofMoves = (style: Style) => ({
  scales: {
    x,
    y: {
      range: (_plot: unknown, min: number, max: number): [number, number] => [
        Math.min(min, -2) * 1.05,
        Math.max(max, 2) * 1.05,
      ],
    },
  },
  series: [{}, barsOf(style, '--accent'), barsOf(style, '--danger')],
});
