// Validates recorded exchanges against the published contract, with a JSON Schema implementation that the service does not use:
// `make proof NAME=exchanges [TESTS=test/api/operations]` records them and runs this.
//
//   node scripts/proof/exchanges/check-exchanges.ts <folder>
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recorded } from '../../../test/helpers/contract/record-exchanges.ts';
import { createJudge } from './validate-exchange.ts';

const folder = process.argv[2];
if (!folder) throw new Error('the folder is required');
const document = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const judge = await createJudge(document);

const counts = { judged: 0, outside: 0 };
const operations = new Map<string, Set<number>>();
const faults = new Map<string, { count: number; example: Recorded }>();
for (const name of (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))) {
  for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
    if (line !== '') await look(JSON.parse(line));
  }
}
report();

async function look(exchange: Recorded): Promise<void> {
  const verdict = await judge(exchange);
  if (!verdict) {
    counts.outside += 1;
    return;
  }
  counts.judged += 1;
  const statuses = operations.get(verdict.operationId) ?? new Set();
  operations.set(verdict.operationId, statuses.add(exchange.status));
  for (const fault of verdict.faults) {
    const key = `${verdict.operationId} ${exchange.status}: ${fault}`;
    const known = faults.get(key);
    if (known) known.count += 1;
    else faults.set(key, { count: 1, example: exchange });
  }
}

function report(): void {
  const answers = [...operations.values()].reduce((sum, { size }) => sum + size, 0);
  console.log(
    `${counts.judged} exchanges of ${operations.size} operations, with ${answers} kinds of answers, were judged;`,
  );
  console.log(`${counts.outside} others are of no operation.`);
  const never = judge.operationIds.filter((operationId) => !operations.has(operationId));
  if (never.length > 0) console.log(`Never seen: ${never.join(', ')}.`);
  for (const [fault, { count, example }] of faults) {
    console.log(`\n${fault} (${count} times)`);
    console.log(JSON.stringify(example).slice(0, 1_500));
  }
  console.log(faults.size === 0 ? 'All are valid.' : `\n${faults.size} kinds of errors.`);
  process.exitCode = faults.size === 0 && counts.judged > 0 ? 0 : 1;
}
