/** The compound file format of old workbooks, sector by sector. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SheetError } from '../../../src/platform/sheets/model/error.ts';
import { isContainer, openContainer } from '../../../src/platform/sheets/xml/container.ts';
import type { ReadAlone } from '../../runner/read-alone.ts';
import { container, xlsNumber, xlsOf } from './other-workbooks.ts';

function content(bytes: number): Buffer {
  const built = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at++) built[at] = (at * 7919) % 251;
  return built;
}

/** Position of a sector's chain entry, in a file under 7 MB. */
const next = (bytes: Buffer, sector: number) =>
  (bytes.readInt32LE(76 + 4 * Math.floor(sector / 128)) + 1) * 512 + 4 * (sector % 128);

/** Position of a file's directory entry. */
const entry = (bytes: Buffer, name: string) => bytes.indexOf(Buffer.from(name, 'utf16le'));

function refused(bytes: Buffer, name = 'Workbook'): string {
  try {
    openContainer(bytes).file(name);
  } catch (error) {
    if (error instanceof SheetError) return error.code;
    throw error;
  }
  return 'read';
}

test.each([0, 1, 63, 64, 4_095, 4_096, 100_000, 8_000_000])('reads a file of %d bytes', (bytes) => {
  const workbook = content(bytes);
  const built = container({ Workbook: workbook, Other: content(5_000), 'Folder/Workbook': content(9) });
  const opened = openContainer(built);
  expect(isContainer(built)).toBe(true);
  expect(opened.has('Workbook') && opened.has('WORKBOOK') && opened.has('Folder')).toBe(true);
  expect(opened.file('Workbook')!.equals(workbook)).toBe(true);
  expect(opened.file('Other')!.equals(content(5_000))).toBe(true);
  expect(opened.file('WORKBOOK')!.equals(workbook)).toBe(true); // names are case-insensitive
  expect(opened.file('Nothing')).toBeUndefined();
});

describe('damage', () => {
  const good = () => container({ Workbook: content(100_000), Other: content(9_000) });
  const start = (bytes: Buffer) => bytes.readInt32LE(entry(bytes, 'Workbook') + 116);

  test.each<[string, (bytes: Buffer) => void]>([
    ['sectors of no known size', (bytes) => bytes.writeUInt16LE(31, 30)],
    ['a file that runs in a circle', (bytes) => bytes.writeInt32LE(start(bytes), next(bytes, start(bytes) + 9))],
    ['a file that leads out of the container', (bytes) => bytes.writeInt32LE(99_999, next(bytes, start(bytes)))],
    ['a file that ends too early', (bytes) => bytes.writeInt32LE(-2, next(bytes, start(bytes) + 9))],
    ['a list of parts that is not there', (bytes) => bytes.writeInt32LE(-2, 48)],
    ['a list of sectors in a circle', (bytes) => bytes.fill(0, 76, 512).writeInt32LE(0, 68)],
  ])('is detected: %s', (_, harm) => {
    const bytes = good();
    expect(refused(bytes)).toBe('read');
    harm(bytes);
    expect(refused(bytes)).toBe('damaged');
  });

  test('in the form of a circular directory ends', () => {
    const bytes = good();
    const at = entry(bytes, 'Other');
    for (const branch of [68, 72]) bytes.writeInt32LE(1, at + branch);
    expect(['read', 'damaged']).toContain(refused(bytes));
  });

  test('in a truncated container is detected', () => {
    const bytes = good();
    for (const length of [8, 511, 512, 1_024, bytes.length / 2]) {
      expect(refused(bytes.subarray(0, length))).toBe('damaged');
    }
  });
});

/** A container with one file. @param after the successor of each sector; by default, the next one */
function byHand(file: Buffer, sectorBytes: number, after?: (sector: number) => number): Buffer {
  const ofFile = Math.ceil(file.length / sectorBytes);
  const perList = sectorBytes / 4;
  const lists = Math.ceil((ofFile + 1) / (perList - 1));
  const bytes = Buffer.alloc((1 + lists + 1 + ofFile) * sectorBytes);
  const at = (sector: number) => (sector + 1) * sectorBytes;
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes);
  bytes.writeUInt16LE(Math.log2(sectorBytes), 30);
  for (const [position, value] of [[44, lists], [48, lists], [60, -2], [68, -2]] as const) bytes.writeInt32LE(value, position);
  for (let list = 0; list < 109; list++) bytes.writeInt32LE(list < lists ? list : -1, 76 + 4 * list);
  const last = lists + ofFile;
  for (let sector = 0; sector <= last; sector++) {
    const nextOne = sector <= lists ? -2 : (after?.(sector) ?? (sector === last ? -2 : sector + 1));
    bytes.writeInt32LE(nextOne, at(Math.floor(sector / perList)) + 4 * (sector % perList));
  }
  const add = (number: number, name: string, numbers: [position: number, value: number][]) => {
    const from = at(lists) + 128 * number;
    bytes.write(name, from, 'utf16le');
    bytes.writeUInt16LE(2 * name.length + 2, from + 64);
    for (const [position, value] of numbers) bytes.writeInt32LE(value, from + position);
  };
  add(0, 'Root Entry', [[68, -1], [72, -1], [76, 1], [116, -2]]);
  add(1, 'Workbook', [[68, -1], [72, -1], [76, -1], [116, after ? last : lists + 1], [120, file.length]]);
  file.copy(bytes, at(lists + 1));
  return bytes;
} // biome-ignore format: tables

test.each([512, 4_096])('reads sectors of %d bytes', (sectorBytes) => {
  expect(
    openContainer(byHand(content(20_000), sectorBytes))
      .file('Workbook')!
      .equals(content(20_000)),
  ).toBe(true);
});

test('interleaved chains take no more memory than a valid file of the same size', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'container-'));
  const numbers = Array.from({ length: 65_000 }, (_, row) => xlsNumber(row, 0, row));
  const good = xlsOf([...numbers, ...numbers]);
  const peak = async (bytes: Buffer) => {
    const path = join(folder, 'people.xls');
    await writeFile(path, bytes);
    const script = fileURLToPath(new URL('../../runner/read-alone.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, path], { maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as ReadAlone;
  };
  // Assembling the chain at each sector would take quadratic memory.
  const bad = await peak(byHand(Buffer.alloc(good.length - 50_000), 512, (sector) => sector - 1));
  const control = await peak(good);
  expect(bad.results[0]!.code).toBe('damaged');
  expect(control.results[0]!.rows).toHaveLength(65_000);
  expect(bad.peak_mb).toBeLessThan(2 * control.peak_mb);
  await rm(folder, { recursive: true });
}, 60_000);
