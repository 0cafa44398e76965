// Output of `make bench NAME=requests`: a page, its chart, and the figures of every run.
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { type Bar, barChart } from './chart.ts';
import { formatMedian, markdownTable, rangeOf } from './figures.ts';
import { type LoadResult, type PacedResult, quantile } from './load.ts';
import { service } from './servers-under-test.ts';

export interface Method {
  repetitions: number;
  seconds: number;
  warm_up_s: number;
  changes: number;
  people: number;
  connections: number;
}

export interface OperationMeasurements {
  operation: string;
  runs: Map<string, LoadResult[]>;
  /** The database's limit; empty if not measured. */
  limit: number[];
  /** At half of the peak rate. */
  calm: Map<string, PacedResult[]>;
}

const target = new URL('../../../docs/benchmarks/', import.meta.url);
const loadBefore = loadavg()[0]!;

export function printOperation({ operation, runs, limit, calm }: OperationMeasurements): string {
  const own = runs.get(service)!;
  const ratios = (rates: number[]) =>
    formatMedian(
      rates.map((rate, i) => own[i]!.per_s / rate),
      2,
    );
  const rows = [...runs].map(([name, all]) => {
    const rates = all.map(({ per_s: perS }) => perS);
    const against = name === service ? '' : ratios(rates);
    return [name, formatMedian(rates), against, median(all, 'cpu_us'), median(all, 'peak_mb'), ...waits(all)];
  });
  if (limit.length > 0) rows.push(['pgbench', formatMedian(limit), ratios(limit), '', '', '', '', '']);
  const head = ['', 'requests/s', 'this service / row', 'CPU µs per request', 'peak, MB', ...quantiles];
  const parts = [`## ${operation}`, markdownTable(head, rows)];
  if (calm.size > 0) {
    const lines = [...calm].map(([name, all]) => {
      const refused = all.reduce((sum, run) => sum + run.refused, 0);
      return [name, String(all[0]!.per_s), ...waits(all), String(refused)];
    });
    parts.push(
      `At half of the peak rate, evenly spaced:\n\n${markdownTable(['', 'requests/s', ...quantiles, 'refused as too busy'], lines)}`,
    );
  }
  return parts.join('\n\n');
}

const quantiles = ['p50, ms', 'p99', 'p99.9'];

function formatQuantiles(timesMs: Float64Array): string[] {
  return [0.5, 0.99, 0.999].map((q) => quantile(timesMs, q).toFixed(1));
}

function waits(runs: readonly Pick<LoadResult, 'timesMs'>[]): string[] {
  return formatQuantiles(Float64Array.from(runs.flatMap(({ timesMs }) => [...timesMs])).sort());
}

function median(runs: readonly LoadResult[], figure: 'cpu_us' | 'peak_mb'): string {
  const values = runs.flatMap((run) => run[figure] ?? []);
  return values.length > 0 ? rangeOf(values).median.toFixed(0) : '';
}

export async function writePage(method: Method, measured: readonly OperationMeasurements[]): Promise<void> {
  const { repetitions, seconds, warm_up_s: warmUpS, changes, people, connections } = method;
  const name = people === 10_000 ? 'http' : `http-${people}`;
  const machine = `${cpus().length} × ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB; Node ${process.version}`;
  const text = `Output of \`make bench NAME=requests\`; [requests.md](requests.md) explains it. ${machine}; load before: ${loadBefore.toFixed(1)}.
Load generator, servers, and Postgres share the machine, so compare ratios, not rates. ${connections} connections; a company of ${people} people
among ${people * 5}; ${changes.toLocaleString('en')} updates first, with autovacuum on. ${repetitions} runs of ${seconds} s in changing order, after ${warmUpS} s of
warm-up. Rates are medians (minimum–maximum), and quantiles are of all requests. Each run: [${name}.json](${name}.json).`;
  const parts = ['# Request figures', text, `![Requests per second](${name}.svg)`, ...measured.map(printOperation)];
  const memory = 'Peak is the highest memory of the process during a run.';
  await mkdir(target, { recursive: true });
  await writeFile(new URL(`${name}.md`, target), `${[...parts, memory].join('\n\n')}\n`);
  await writeFile(
    new URL(`${name}.svg`, target),
    barChart('Requests per second (higher is better)', measured.flatMap(bars)),
  );
  await writeFile(new URL(`${name}.json`, target), raw({ machine, load_before: loadBefore, ...method }, measured));
}

function bars({ operation, runs, limit }: OperationMeasurements): Bar[] {
  const all = [...runs].map(([name, results]): Bar => {
    const range = rangeOf(results.map(({ per_s: perS }) => perS));
    return { group: operation, name, role: name === service ? 'service' : 'peer', range };
  });
  return limit.length > 0
    ? [...all, { group: operation, name: 'pgbench', role: 'database', range: rangeOf(limit) }]
    : all;
}

function raw(method: object, measured: readonly OperationMeasurements[]): string {
  const lines = measured.flatMap(({ operation, runs, limit }) => [
    ...[...runs].flatMap(([name, all]) =>
      all.map(({ per_s: perS, cpu_us: cpuUs, peak_mb: peakMb, timesMs }, run) => {
        const [p50Ms, p99Ms, p999Ms] = formatQuantiles(timesMs).map(Number);
        const figures = { per_s: Math.round(perS), cpu_us: cpuUs && Math.round(cpuUs), peak_mb: peakMb };
        return { operation, name, run, ...figures, p50_ms: p50Ms, p99_ms: p99Ms, p99_9_ms: p999Ms };
      }),
    ),
    ...limit.map((perS, run) => ({ operation, name: 'pgbench', run, per_s: Math.round(perS) })),
  ]);
  return `{\n"method": ${JSON.stringify(method)},\n"runs": [\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n}\n`;
}
