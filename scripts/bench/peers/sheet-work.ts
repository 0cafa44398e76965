// Runs one sheet operation in its own process: `sheet-work.ts <work> <rows> <file>`. Prints the duration without loading the
// library, the CPU time of all threads, and the peak memory.
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { columns, exportedColumns, exportedPeople, people } from './people.ts';

const [work = '', rows = '', file = ''] = process.argv.slice(2);
const count = Number(rows);
const sheet = () => ({ name: 'Collaborators', columns, groups: people(count) });
/** For libraries that need the whole table. */
const table = () => [columns.map(({ header }) => header), ...[...people(count)].flat()];

const workloads: Record<string, () => Promise<() => Promise<unknown>>> = {
  async 'write-xlsx'() {
    const { writeWorkbook } = await import('../../../src/platform/sheets/xlsx/write-xlsx.ts');
    return () => pipeline(writeWorkbook([sheet()], { title: 'Bench' }), createWriteStream(file));
  },
  async 'write-xlsx, all columns'() {
    const { writeWorkbook } = await import('../../../src/platform/sheets/xlsx/write-xlsx.ts');
    const { newId } = await import('../../../src/platform/values/ids.ts');
    const groups = exportedPeople(Array.from({ length: count }, newId));
    const exported = { name: 'Collaborators', columns: exportedColumns, groups };
    return () => pipeline(writeWorkbook([exported], { title: 'Bench' }), createWriteStream(file));
  },
  async 'write-csv'() {
    const { writeCsv } = await import('../../../src/platform/sheets/csv/write-csv.ts');
    return () => pipeline(writeCsv(sheet()), createWriteStream(file));
  },
  async 'write-xlsx, package xlsx'() {
    const { set_fs: setFs, utils, writeFile } = await import('xlsx');
    setFs(await import('node:fs'));
    return async () => {
      const book = utils.book_new(utils.aoa_to_sheet(table(), { dense: true }), 'Collaborators');
      writeFile(book, file, { compression: true });
    };
  },
  /** In the format of the file extension. */
  async 'write, package xlsx'() {
    const { set_fs: setFs, utils, writeFile } = await import('xlsx');
    setFs(await import('node:fs'));
    return async () => {
      const book = utils.book_new(utils.aoa_to_sheet(table(), { dense: true }), 'Collaborators');
      writeFile(book, file, { compression: true, ...(file.endsWith('.xls') && { bookType: 'biff8' as const }) });
    };
  },
  async 'write-xlsx, package write-excel-file'() {
    const { default: writeExcelFile } = await import('write-excel-file/node');
    return () => writeExcelFile(table()).toFile(file);
  },
  async read() {
    const { SheetReader } = await import('../../../src/platform/sheets/reader.ts');
    const reader = new SheetReader(1);
    return async () => {
      let found = 0;
      const { groups } = await reader.open(file);
      for await (const group of groups) found += group.length;
      await reader.close();
      checkRows(found);
    };
  },
  async 'read, package xlsx'() {
    const { readFile, set_fs: setFs, utils } = await import('xlsx');
    setFs(await import('node:fs'));
    return async () => {
      const { Sheets, SheetNames } = readFile(file, { dense: true, raw: true });
      checkRows(utils.sheet_to_json(Sheets[SheetNames[0]!]!, { header: 1 }).length);
    };
  },
};

function checkRows(found: number): void {
  if (found !== count + 1) throw new Error(`${found} rows in place of ${count + 1}`);
}

const run = await workloads[work]!();
const started = performance.now();
const before = process.cpuUsage();
await run();
const ms = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const cpuMs = (user + system) / 1_000;
console.log(JSON.stringify({ ms, cpuMs, peak_mb: process.resourceUsage().maxRSS / 1024 }));
