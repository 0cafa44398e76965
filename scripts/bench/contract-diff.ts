// Measures how long the contract diff takes, as a whole process: our contract, and a document of 10 MB.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const command = join(import.meta.dirname, '../../node_modules/.bin/openapi-contract-diff');
const folder = mkdtempSync(join(tmpdir(), 'contract-speed-'));
const rounds = 5;

/** In milliseconds. */
function measure(base: string, revised: string): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [command, base, revised, '--format', 'json'], {
    maxBuffer: 2 ** 30,
  });
  if (status !== 0 && status !== 1) throw new Error(String(stderr));
  return performance.now() - start;
}

/** The fastest of some rounds: on a busy machine the others measure the neighbours. */
const best = (base: string, revised: string, count = rounds): string =>
  `${Math.min(...Array.from({ length: count }, () => measure(base, revised))).toFixed(0)} ms`;

/** A document of the shape of large public ones: many paths, resources that refer to each other, long descriptions. */
function largeDocument(change: (index: number) => Record<string, unknown>): string {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, unknown> = {};
  const words = 'The value as it was stored when the object was last changed by anybody who may change it. ';
  const count = 1_250;
  for (let index = 0; index < count; index++) {
    const properties: Record<string, unknown> = { id: { type: 'string', maxLength: 64 } };
    for (let field = 0; field < 18; field++)
      properties[`field_${field}`] = {
        description: words.repeat(1 + (field % 3)),
        ...(field % 5 === 0
          ? {
              anyOf: [
                { type: 'string', maxLength: 500 },
                { $ref: `#/components/schemas/resource_${(index * 7 + field) % count}` },
              ],
            }
          : field % 3 === 0
            ? { type: 'array', items: { $ref: `#/components/schemas/resource_${(index + field) % count}` } }
            : { type: ['string', 'null'], enum: ['one', 'two', 'three', null], ...change(index) }),
      };
    schemas[`resource_${index}`] = { type: 'object', description: words, required: ['id'], properties };
    const schema = { $ref: `#/components/schemas/resource_${index}` };
    const operation = (operationId: string, body: boolean) => ({
      operationId,
      summary: words,
      description: words.repeat(3),
      parameters: ['expand', 'limit', 'starting_after'].map((name) => ({
        name,
        in: 'query',
        description: words,
        schema: { type: 'string', maxLength: 5_000 },
      })),
      ...(body && { requestBody: { content: { 'application/json': { schema } } } }),
      responses: {
        '200': { description: words, content: { 'application/json': { schema } } },
        default: { description: words },
      },
    });
    paths[`/v1/resources_${index}`] = { get: operation(`get_${index}`, false), post: operation(`post_${index}`, true) };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Large', version: '1.0.0' },
    paths,
    components: { schemas },
  });
}

try {
  const [large, few, all] = ['large.json', 'few.json', 'all.json'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const text = largeDocument(() => ({}));
  writeFileSync(large, text);
  writeFileSync(
    few,
    largeDocument((index) => (index % 400 === 0 ? { maxLength: 9 } : {})),
  );
  writeFileSync(
    all,
    largeDocument((index) => ({ example: `number ${index}` })),
  );
  const megabytes = (text.length / 1e6).toFixed(1);
  console.log(`our contract, bundled and split:             ${best('generated/openapi.json', 'openapi/openapi.yaml')}`);
  console.log(`${megabytes} MB, nothing changed:                    ${best(large, large, 2)}`);
  console.log(`${megabytes} MB, a few changes everything refers to: ${best(large, few, 2)}`);
  console.log(`${megabytes} MB, every schema changed:               ${best(large, all, 2)}`);
} finally {
  rmSync(folder, { recursive: true });
}
