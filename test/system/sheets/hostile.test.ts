/** Corrupted workbooks: reading always ends with rows or a clear error, in the same thread, file after file. */
import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { SheetError } from '../../../src/platform/sheets/model/error.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { openContainer } from '../../../src/platform/sheets/xml/container.ts';
import fc from '../../helpers/property.ts';
import { type Cells, container, type Kind, kinds, written } from '../../platform/sheets/other-workbooks.ts';
import { type Parts, readAll, zipped } from '../../platform/sheets/workbooks.ts';

const reader = new SheetReader(1);
afterAll(() => reader.close());

const text = (v: string) => ({ t: 's' as const, v });
const people: Cells = [
  ['Name', 'Hire date', 'Salary', 'Active'].map(text),
  [text('João'), { t: 'n', v: 46_083, z: 'yyyy-mm-dd' }, { t: 'n', v: 1_234.5 }, { t: 'b', v: true }],
  [text('日本'), { t: 'n', v: 46_084, z: 'yyyy-mm-dd' }, { t: 'n', v: 7, z: '00000' }, { t: 'e', v: 42 }],
];

/** Changed bytes at relative positions, and where the file is truncated. */
const harm = fc.record({
  bytes: fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 20,
  }),
  length: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function harmed(good: Buffer, { bytes, length }: { bytes: [number, number][]; length: number }): Buffer {
  const bad = Buffer.from(good.subarray(0, Math.ceil(good.length * length)));
  for (const [position, byte] of bytes) bad[Math.floor(position * bad.length)] = byte;
  return bad;
}

/** The parts inside a file. */
async function partsOf(kind: Kind, file: Buffer): Promise<Record<string, Buffer>> {
  if (kind === 'xls') return { Workbook: openContainer(file).file('Workbook')! };
  const parts: Record<string, Buffer> = {};
  const zip = await fromBufferPromise(file, { lazyEntries: true });
  for await (const entry of zip.eachEntry()) {
    parts[entry.fileName] = await buffer(await zip.openReadStreamPromise(entry));
  }
  return parts;
}

async function around(kind: Kind, parts: Record<string, Buffer>): Promise<Buffer> {
  return kind === 'xls' ? container(parts) : zipped(parts as Parts);
}

const outcomes = { rows: 0, refused: 0 };

async function expectAnEnd(file: Buffer): Promise<void> {
  try {
    await readAll(reader, file);
    outcomes.rows++;
  } catch (error) {
    if (!(error instanceof SheetError)) throw error;
    outcomes.refused++;
    expect(error.message).toMatch(/^(The|A) .+\.$/);
  }
}

describe.each(kinds)('%s', (kind) => {
  const good = written(kind, { People: people });

  test('survives changed bytes and truncation of the file', async () => {
    await fc.assert(
      fc.asyncProperty(harm, (harms) => expectAnEnd(harmed(good, harms))),
      { numRuns: 25 },
    );
    expect((await readAll(reader, good)).rows).toHaveLength(3);
  }, 120_000);

  test('survives changed bytes inside a part', async () => {
    const parts = await partsOf(kind, good);
    const part = fc.constantFrom(...Object.keys(parts));
    await fc.assert(
      fc.asyncProperty(part, harm, async (path, harms) => {
        await expectAnEnd(await around(kind, { ...parts, [path]: harmed(parts[path]!, harms) }));
      }),
      { numRuns: 40 },
    );
    expect((await readAll(reader, good)).rows).toHaveLength(3);
  }, 120_000);

  test('survives anything after the first bytes', async () => {
    const head = good.subarray(0, kind === 'xls' ? 512 : 60);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 5_000 }), (bytes) => {
        return expectAnEnd(Buffer.concat([head, bytes]));
      }),
      { numRuns: 15 },
    );
  }, 120_000);
});

test('some were read, and some rejected', () => {
  expect(outcomes.rows).toBeGreaterThan(50);
  expect(outcomes.refused).toBeGreaterThan(50);
});
