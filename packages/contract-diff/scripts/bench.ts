// Benchmarks the whole process: startup, our contract, 10 MB documents, and the largest published description.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf, github } from './public-documents.ts';

const command = join(import.meta.dirname, '../bin/openapi-contract-diff.js');
const folder = mkdtempSync(join(tmpdir(), 'contract-speed-'));
const rounds = 5;

interface Cost {
  readonly wallMs: number;
  readonly memory_mb: number;
}

/** Prints the peak memory of the process as its last line. */
const memoryReporter = 'process.on("exit",()=>process._rawDebug("\\nmemory",process.resourceUsage().maxRSS))';

function measure(args: readonly string[]): Cost {
  const start = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(memoryReporter)}`, command, ...args],
    { maxBuffer: 2 ** 30, encoding: 'utf8' },
  );
  const wallMs = performance.now() - start;
  if (status !== 0 && status !== 1) throw new Error(stderr);
  return { wallMs, memory_mb: Number(/memory (\d+)\s*$/.exec(stderr)?.[1]) / 1024 };
}

/** Reports the fastest of some rounds, because slower ones measure other load on the machine. */
function report(name: string, args: readonly string[], count = rounds): void {
  const costs = Array.from({ length: count }, () => measure(args));
  const wall = Math.min(...costs.map(({ wallMs }) => wallMs)).toFixed(0);
  const memory = Math.max(...costs.map(({ memory_mb: memoryMb }) => memoryMb)).toFixed(0);
  console.log(`${name.padEnd(52)} ${wall.padStart(6)} ms ${memory.padStart(5)} MB`);
}

const comparison = (base: string, revised: string) => [base, revised, '--format', 'json'];

/** A document like large public ones: many paths, interlinked resources, long descriptions. */
function largeDocument(change: (index: number) => Record<string, unknown>): string {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, unknown> = {};
  const prose = 'The value as it was stored when the object was last changed by anybody who may change it. ';
  const count = 1_250;
  for (let index = 0; index < count; index++) {
    const properties: Record<string, unknown> = { id: { type: 'string', maxLength: 64 } };
    for (let field = 0; field < 18; field++)
      properties[`field_${field}`] = {
        description: prose.repeat(1 + (field % 3)),
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
    schemas[`resource_${index}`] = { type: 'object', description: prose, required: ['id'], properties };
    const schema = { $ref: `#/components/schemas/resource_${index}` };
    const operation = (operationId: string, body: boolean) => ({
      operationId,
      summary: prose,
      description: prose.repeat(3),
      parameters: ['expand', 'limit', 'starting_after'].map((name) => ({
        name,
        in: 'query',
        description: prose,
        schema: { type: 'string', maxLength: 5_000 },
      })),
      ...(body && { requestBody: { content: { 'application/json': { schema } } } }),
      responses: {
        '200': { description: prose, content: { 'application/json': { schema } } },
        default: { description: prose },
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
  report('start (--version)', ['--version']);
  // The contract of the surrounding service, if available.
  const own = ['generated/openapi.json', 'openapi/openapi.yaml'] as const;
  if (own.every((file) => existsSync(file))) report('our contract, bundled and split', comparison(...own));
  report(`${megabytes} MB, nothing changed`, comparison(large, large), 2);
  report(`${megabytes} MB, a few changes everything refers to`, comparison(large, few), 2);
  report(`${megabytes} MB, every schema changed`, comparison(large, all), 2);
  const publicFiles = await filesOf(github);
  if (publicFiles)
    report(`${github.name} ${github.versions.join(' to ')}`, [...comparison(...publicFiles), '--at-most', 'major'], 2);
  else console.log(`${github.name}: ${github.package} could not be fetched.`);
} finally {
  rmSync(folder, { recursive: true });
}
