/** Bar chart of deliveries by hour, with failures in front: drawn on a canvas in the page's colors. */
import { useEffect, useRef } from 'react';
import Plot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { DeliveryHour } from '../../api/attention.ts';
import { hourOf, weekday } from '../../parts/format.ts';
import { useLanguage } from '../../parts/translate.ts';
import { sumOf } from './counts.ts';

interface ChartProps {
  hours: readonly DeliveryHour[];
  /** Label for screen readers. */
  label: string;
}

const heightPx = 220;

export default function DeliveryChart({ hours, label }: ChartProps) {
  const language = useLanguage();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides how hours are written
  useEffect(() => {
    const element = place.current!;
    let plot: Plot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new Plot(optionsFor(element, hours.length > 48), dataOf(hours), element);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height: heightPx }));
    resized.observe(element);
    const theme = matchMedia('(prefers-color-scheme: dark)');
    theme.addEventListener('change', draw);
    return () => {
      theme.removeEventListener('change', draw);
      resized.disconnect();
      plot?.destroy();
    };
  }, [hours, language]);
  return <div ref={place} className="chart" role="img" aria-label={label} />;
}

function dataOf(hours: readonly DeliveryHour[]): Plot.AlignedData {
  return [
    hours.map(({ hour }) => Date.parse(hour) / 1_000),
    hours.map((each) => sumOf([each]).all),
    hours.map(({ failed }) => failed),
  ];
}

function optionsFor(element: HTMLElement, byDay: boolean): Plot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = { stroke: color('--quiet'), font: `12px ${style.fontFamily}`, ticks: { show: false } };
  const grid = { stroke: color('--line'), width: 1 };
  const bars = Plot.paths.bars!({ size: [0.7, 40] });
  const write = (atS: number) => {
    const iso = new Date(atS * 1_000).toISOString();
    return byDay ? weekday(iso) : hourOf(iso);
  };
  return {
    width: element.clientWidth,
    height: heightPx,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // Center the bars on their hours.
      x: { range: (_plot, firstS, lastS) => [firstS - 1_800, lastS + 1_800] },
      y: { range: (_plot, _least, most) => [0, Math.max(most, 4) * 1.05] },
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
      { ...axis, grid, size: 44, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000] },
    ],
    series: [
      {},
      { paths: bars, fill: color('--accent'), points: { show: false } },
      { paths: bars, fill: color('--danger'), points: { show: false } },
    ],
  };
}
