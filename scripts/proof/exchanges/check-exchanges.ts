// Validates recorded exchanges against the published contract, with a JSON Schema implementation that the service does not use:
// `make proof NAME=exchanges [TESTS=test/api/operations]` records them and runs this.
//
//   node scripts/proof/exchanges/check-exchanges.ts <folder>
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedExchange } from '../../../test/helpers/contract/record-exchanges.ts';
import { createExchangeValidator } from './validate-exchange.ts';

const folder = process.argv[2];
if (!folder) throw new Error('the folder is required');
const document = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8'));
const validateExchange = await createExchangeValidator(document);

const counts = { validated: 0, outside: 0 };
const operations = new Map<string, Set<number>>();
const errors = new Map<string, { count: number; example: RecordedExchange }>();
for (const name of (await readdir(folder)).filter((name) => name.endsWith('.jsonl'))) {
  for (const line of (await readFile(join(folder, name), 'utf8')).split('\n')) {
    if (line !== '') await checkExchange(JSON.parse(line));
  }
}
report();

async function checkExchange(exchange: RecordedExchange): Promise<void> {
  const verdict = await validateExchange(exchange);
  if (!verdict) {
    counts.outside += 1;
    return;
  }
  counts.validated += 1;
  const statuses = operations.get(verdict.operationId) ?? new Set();
  operations.set(verdict.operationId, statuses.add(exchange.status));
  for (const error of verdict.errors) {
    const key = `${verdict.operationId} ${exchange.status}: ${error}`;
    const known = errors.get(key);
    if (known) known.count += 1;
    else errors.set(key, { count: 1, example: exchange });
  }
}

function report(): void {
  const responseKinds = [...operations.values()].reduce((sum, { size }) => sum + size, 0);
  console.log(
    `${counts.validated} exchanges of ${operations.size} operations, with ${responseKinds} kinds of responses, were validated;`,
  );
  console.log(`${counts.outside} others belong to no operation.`);
  const never = validateExchange.operationIds.filter((operationId) => !operations.has(operationId));
  if (never.length > 0) console.log(`Never seen: ${never.join(', ')}.`);
  for (const [error, { count, example }] of errors) {
    console.log(`\n${error} (${count} times)`);
    console.log(JSON.stringify(example).slice(0, 1_500));
  }
  console.log(errors.size === 0 ? 'All are valid.' : `\n${errors.size} kinds of errors.`);
  process.exitCode = errors.size === 0 && counts.validated > 0 ? 0 : 1;
}
