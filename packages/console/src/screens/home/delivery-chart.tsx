/** Bar chart of deliveries by hour, with failures in front. */
import { useCallback, useMemo } from 'react';
import type { DeliveryHour } from '../../api/attention.ts';
import { hourOf, number, weekday } from '../../parts/format.ts';
import { sumOf } from './counts.ts';
import { barsOf, Plot, type Style, wholeSteps } from './plot.tsx';

export function DeliveryChart({ hours, label }: { hours: readonly DeliveryHour[]; label: string }) {
  const byDay = hours.length > 48;
  const data = useMemo(
    () => [
      hours.map(({ hour }) => Date.parse(hour) / 1_000),
      hours.map((each) => sumOf([each]).all),
      hours.map(({ failed }) => failed),
    ],
    [hours],
  );
  const options = useCallback((style: Style) => optionsFor(style, byDay), [byDay]);
  return <Plot label={label} data={data as [number[], number[], number[]]} options={options} />;
}

function optionsFor(style: Style, byDay: boolean): ReturnType<Parameters<typeof Plot>[0]['options']> {
  const { axis, grid } = style;
  const write = (atS: number) => {
    const iso = new Date(atS * 1_000).toISOString();
    return byDay ? weekday(iso) : hourOf(iso);
  };
  return {
    scales: {
      // Center the bars on their hours.
      x: { range: (_plot, firstS, lastS) => [firstS - 1_800, lastS + 1_800] },
      y: { range: (_plot, _min, max) => [0, Math.max(max, 4) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: byDay ? 90 : 60,
        incrs: byDay ? [86_400] : [3_600, 7_200, 10_800, 21_600],
        values: (_plot, splits) => splits.map(write),
      },
      { ...axis, grid, size: 44, incrs: wholeSteps, values: (_plot, splits) => splits.map(number) },
    ],
    series: [{}, barsOf(style, '--accent'), barsOf(style, '--danger')],
  };
}
