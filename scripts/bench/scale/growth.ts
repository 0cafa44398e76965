// Latency of each operation in companies of very different sizes, through the API, alternating.

import { markdownTable } from '../harness/figures.ts';
import { sendRequest } from '../harness/send-request.ts';
import { cases } from './cases.ts';
import type { OperationCase, Subject } from './subjects.ts';

/**
 * Also reports the database pages that a request reads or writes, which other load on the machine does not affect.
 * @param subjects in pairs: each first one is compared with the second
 */
export async function growthReport(subjects: readonly Subject[], rounds: number, requests: number): Promise<string> {
  const lines: string[][] = [];
  for (const each of cases) {
    const figures = subjects.map(() => ({ p50: [] as number[], pages: [] as number[] }));
    for (const subject of subjects) await timesOf(subject, each, Math.ceil(requests / 2)); // warm-up
    for (let round = 0; round < rounds; round++) {
      for (const [i, subject] of subjects.entries()) {
        const before = await pagesOf(subject);
        figures[i]!.p50.push(median(await timesOf(subject, each, requests)));
        figures[i]!.pages.push(((await pagesOf(subject)) - before) / requests);
      }
    }
    const ms = figures.map(({ p50 }) => median(p50));
    const pages = figures.map((figure) => median(figure.pages));
    const ratios = ms.flatMap((value, i) => (i % 2 === 0 ? [(value / ms[i + 1]!).toFixed(2)] : []));
    const formatted = ms.map((value, i) => `${value.toFixed(2)} (${pages[i]!.toFixed(0)})`);
    lines.push([each.name, ...formatted, ...ratios]);
  }
  const ratioHeads = subjects.flatMap(({ name }, i) => (i % 2 ? [] : [`ratio, ${name}`]));
  return markdownTable(['p50, ms (pages)', ...subjects.map(({ name }) => name), ...ratioHeads], lines);
}

async function pagesOf({ client }: Subject): Promise<number> {
  const { rows } = await client.query<{ pages: number }>(
    `select sum(shared_blks_hit + shared_blks_read)::float8 as pages
     from pg_stat_statements join pg_database d on d.oid = dbid
     where d.datname = current_database() and query not like '%pg_stat_statements%'`,
  );
  return rows[0]!.pages;
}

async function timesOf(subject: Subject, { send, status = 200 }: OperationCase, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const request = send(subject, subject.requestCount++);
    const started = performance.now();
    const response = await sendRequest(subject, request);
    times.push(performance.now() - started);
    if (response.status !== status)
      throw new Error(`${request.path}: ${response.status} ${response.body.slice(0, 300)}`);
  }
  return times;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
