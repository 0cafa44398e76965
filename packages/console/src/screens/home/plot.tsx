/** A chart drawn on a canvas in the page's colors, redrawn when they or the language change. */
import { useEffect, useRef } from 'react';
import './usable-language.ts';
import Library from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useLanguage } from '../../parts/translate.ts';

export interface Style {
  color(name: '--accent' | '--danger' | '--line' | '--quiet'): string;
  /** Common settings of an axis. */
  axis: Library.Axis;
  grid: Library.Axis.Grid;
}

interface PlotProps {
  /** Label for screen readers. */
  label: string;
  data: Library.AlignedData;
  /** Called for each drawing, because colors and languages differ. Keep it stable between renders. */
  options(style: Style): Pick<Library.Options, 'axes' | 'scales' | 'series'>;
}

const heightPx = 220;

export function Plot({ label, data, options }: PlotProps) {
  const language = useLanguage();
  const container = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the language decides how values are written
  useEffect(() => {
    const element = container.current!;
    let plot: Library | undefined;
    const draw = () => {
      plot?.destroy();
      const size = { width: element.clientWidth, height: heightPx };
      const quiet = { legend: { show: false }, cursor: { show: false } };
      plot = new Library({ ...size, ...quiet, ...options(styleOf(element)) }, data, element);
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
  }, [data, options, language]);
  return <div ref={container} className="chart" role="img" aria-label={label} />;
}

/** Counts are whole numbers. */
export const wholeSteps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];

export function barsOf(style: Style, color: '--accent' | '--danger'): Library.Series {
  return { paths: Library.paths.bars!({ size: [0.7, 40] }), fill: style.color(color), points: { show: false } };
}

function styleOf(element: HTMLElement): Style {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  return {
    color,
    axis: { stroke: color('--quiet'), font: `12px ${style.fontFamily}`, ticks: { show: false } },
    grid: { stroke: color('--line'), width: 1 },
  };
}
