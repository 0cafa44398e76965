// Reads the test workbooks of other projects with our reader and with others, and compares them cell by cell: `make proof
// NAME=readers`. Downloads are kept in .data/tools, or TOOLS_CACHE.
//
// node scripts/proof/compare-readers/compare-readers.ts [corpus ...] [--folder <path> ...]: only these corpora and local folders.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exit } from '../../../src/platform/process/exit.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { cache } from '../sdk-check/client.ts';
import { differences, type Peers } from './compare.ts';
import { corpora } from './corpora.ts';
import { fetchCorpus, isWorkbook } from './fetch.ts';
import { readWithOwnReader } from './own-reader.ts';
import { Peer } from './peer.ts';
import { readersOfPython } from './python.ts';
import { Report } from './report.ts';
import { compared, maxOutputChars } from './table.ts';

/** With fewer workbooks, the result is not meaningful. */
const minWorkbooks = 300;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { folder: { type: 'string', multiple: true, default: [] } },
});
const folder = join(cache, 'compare-readers');
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

try {
  const unknown = positionals.filter((name) => corpora.every((corpus) => corpus.name !== name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown}; available: ${corpora.map(({ name }) => name)}.`);
  const python = await readersOfPython(join(folder, 'python'));
  const bounds = [...Object.values(compared), maxOutputChars].map(String);
  const ofPython = (name: string, formats: RegExp) =>
    new Peer(name, [python, here('readers.py'), name, ...bounds], formats);
  const peers = [
    new Peer('xlsx', [process.execPath, here('child.ts')], isWorkbook),
    ofPython('calamine', isWorkbook),
    ofPython('openpyxl', /\.xl[st][xm]$/i),
    ofPython('xlrd', /\.xl[st]$/i),
  ];
  const report = new Report();
  const reader = new SheetReader(1, 1024);
  const seenDigests = new Set<string>();
  for (const { name, path } of await folders(python, report)) {
    for (const file of (await readdir(path, { recursive: true })).filter((file) => isWorkbook.test(file)).sort()) {
      await compareFile(name, path, join(path, file));
    }
    report.printCorpus(name);
  }
  for (const peer of peers) peer.stop();
  await reader.close();
  process.exitCode = report.print(minWorkbooks) ? 0 : 1;

  async function compareFile(corpus: string, root: string, path: string): Promise<void> {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex');
    if (seenDigests.has(digest)) return;
    seenDigests.add(digest);
    const [ours, ...peerResults] = await Promise.all([
      readWithOwnReader(reader, path),
      ...peers.map((peer) => peer.read(path)),
    ]);
    const read: Peers = {};
    peerResults.forEach((peerResult, at) => {
      if (peerResult && 'sheets' in peerResult) read[peers[at]!.name] = peerResult.sheets;
    });
    const file = relative(root, path);
    if ('refused' in ours) report.addRefusal({ corpus, file, ...ours, readBy: Object.keys(read) });
    else report.addRead({ corpus, file, peers: Object.keys(read), ...differences(ours.format, ours.sheets, read) });
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();

/** Folders with workbooks, from packages and from this machine. */
async function folders(python: string, report: Report): Promise<{ name: string; path: string }[]> {
  const found: { name: string; path: string }[] = [];
  const selected = corpora.filter(({ name }) => positionals.includes(name) || positionals.length === 0);
  for (const corpus of selected) {
    try {
      found.push({ name: corpus.name, path: await fetchCorpus(corpus, folder, python) });
    } catch (error) {
      report.addMissing(corpus.name, (error as Error).message, positionals.includes(corpus.name));
    }
  }
  return [...found, ...values.folder.map((path) => ({ name: basename(resolve(path)), path: resolve(path) }))];
}
