/** `node test/runner/fail-alone.ts [<case>]`: emits errors before anyone may listen, and prints that the process survived each. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createHttpServer } from '../../src/api/server/server.ts';
import { openBackup, readLines } from '../../src/platform/backup/read.ts';
import { createBackup } from '../../src/platform/backup/write.ts';
import { Inspector } from '../../src/platform/files/inspect/inspect.ts';
import { storeFile } from '../../src/platform/files/inspect/receive-file.ts';
import { createScanner } from '../../src/platform/files/inspect/scanner.ts';
import { createS3Storage } from '../../src/platform/files/s3/s3.ts';
import { createLocalStorage } from '../../src/platform/files/store/local.ts';
import { newKey, type Storage } from '../../src/platform/files/store/storage.ts';
import { createMailer } from '../../src/platform/mail/send-mail.ts';
import { createLogger } from '../../src/platform/observe/log.ts';
import { exit } from '../../src/platform/process/exit.ts';
import { startMetrics } from '../../src/platform/process/metrics.ts';
import { writeCsv } from '../../src/platform/sheets/csv/write-csv.ts';
import type { Cell } from '../../src/platform/sheets/model/types.ts';
import { SheetReader } from '../../src/platform/sheets/reader.ts';
import { writeJson } from '../../src/platform/sheets/write-json.ts';
import { writeWorkbook } from '../../src/platform/sheets/xlsx/write-xlsx.ts';

const log = createLogger('silent');
const failure = new Error('it fails');
const columns = [{ header: 'Name', kind: 'text' as const }];
const key = newKey('7c9e6679-7425-40de-944b-e07fc1f90ae7', 'documents');
const s3 = { kind: 's3', bucket: 'b', prefix: '', region: 'r', endpoint: 'http://127.0.0.1:1', path_style: true, credentials: undefined, redirect: false, silence_ms: 30_000 } as const; // biome-ignore format: short
const http = { maxHeaderBytes: 16_384, headersTimeoutMs: 15_000, requestTimeoutMs: 120_000, keepAliveTimeoutMs: 65_000, max_connections: 1_000, socketTimeoutMs: 120_000 }; // biome-ignore format: short

/** Rows, the second batch of which fails. */
async function* failing(): AsyncGenerator<Cell[][]> {
  yield [['first']];
  throw failure;
}

/** Long enough for an error to be emitted before anyone listens. */
const pauseBriefly = () => sleep(50);

async function read(content: Readable): Promise<string> {
  await pauseBriefly();
  return outcomeOf(buffer(content));
}

function outcomeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    () => 'failed',
  );
}

/** An upload so small that it ends before the store reads it. */
function upload(storage: Storage): Promise<string> {
  const passing = new Inspector({ name: 'note.txt', media_type: 'text/plain' }, 1_000_000);
  const stored = storeFile({ storage, scanner: undefined }, key, Readable.from([Buffer.from('hello')]), passing, async () => {}); // biome-ignore format: short
  return outcomeOf(stored);
}

function servers(): Server[] {
  const found: Server[] = [];
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...args: unknown[]) {
    found.push(this);
    return listen.apply(this, args as never);
  } as never;
  return found;
}

async function inFolder(work: (folder: string) => Promise<string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'fail-'));
  return work(folder).finally(() => rm(folder, { recursive: true }));
}

const cases: Record<string, () => Promise<string>> = {
  'a workbook whose rows fail': () => read(writeWorkbook([{ name: 'S', columns, groups: failing() }], { title: 'x' })),
  'a csv whose rows fail': () => read(writeCsv({ columns, groups: failing() })),
  'json whose rows fail': () => read(writeJson(failing() as never)),
  'a thread of the reader, while it has nothing to do': async () => {
    const threads = new Set<Worker>();
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (this: Worker, ...args) {
      threads.add(this);
      return postMessage.apply(this, args);
    };
    const reader = new SheetReader(1);
    await (await reader.open(Buffer.from('a,b\n'))).close();
    await pauseBriefly();
    for (const thread of threads) thread.emit('error', failure);
    const { info } = await reader.open(Buffer.from('a,b\n'));
    await reader.close();
    return threads.size > 0 && info.format === 'csv' ? 'failed' : 'no failure';
  },
  'an upload to a folder that is none': () => upload(createLocalStorage('/dev/null/files')),
  'an upload to a store, by a disk that takes nothing': () => upload(createS3Storage(s3, '/dev/null/files')),
  'an upload to a store that is away': () => inFolder((folder) => upload(createS3Storage(s3, folder))),
  'a stored file that is read late': () =>
    inFolder(async (folder) => {
      const storage = createLocalStorage(folder);
      await storage.put(key, Readable.from([Buffer.from('hello')]));
      const content = await storage.read(key);
      content.destroy(failure);
      return read(content);
    }),
  'content that fails before it is stored': () =>
    inFolder(async (folder) => {
      const content = Readable.from([Buffer.from('hello')]);
      const put = createLocalStorage(folder).put(key, content);
      content.destroy(failure);
      return outcomeOf(put);
    }),
  'a scanner that hangs up': async () => {
    const server = createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const scanner = createScanner({ clamd: { host: '127.0.0.1', port, timeout_ms: 5_000 } })!;
    const scanned = await outcomeOf(scanner.scan(Readable.from([Buffer.alloc(1_000_000)])));
    server.close();
    return scanned;
  },
  'a mail server that is away': async () => {
    const mailer = createMailer({ smtp_url: 'smtp://127.0.0.1:1', from: 'a@b.example', outbox: '', log });
    const sent = await outcomeOf(
      mailer.send({ template: 'invitation', to: 'c@d.example', language: 'en', subject: 's', text: 't', html: 'h' }),
    );
    mailer.close();
    return sent;
  },
  'a log on a full disk': async () => {
    const full = createLogger('info', '/dev/full');
    for (let line = 0; line < 2_000; line++) full.info({ line }, 'a line that finds no room');
    await sleep(500);
    full.info('one more, which waits when the process ends');
    return 'failed';
  },
  'connections that cannot be accepted': async () => {
    const found = servers();
    const metrics = await startMetrics({ host: '127.0.0.1', port: 0 }, log);
    const { server } = await createHttpServer({ http, tls: undefined, require_https: false } as never, log);
    server.listen(0, '127.0.0.1');
    for (const each of found) for (let time = 0; time < 2; time++) each.emit('error', failure);
    await metrics.close();
    server.close();
    return found.length === 2 ? 'failed' : 'no failure';
  },
  'clients that ask for a tunnel and are gone': async () => {
    const { server } = await createHttpServer({ http, tls: undefined, require_https: false } as never, log);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    for (let client = 0; client < 200; client++) {
      const socket: Socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      if (client % 2 === 0) await new Promise(setImmediate);
      socket.resetAndDestroy();
    }
    await pauseBriefly();
    server.close();
    return 'failed';
  },
  'a part of a backup, in a folder': () => backup('backup'),
  'a part of a backup, in an archive': () => backup('backup.zip'),
  'a part of a backup that is damaged': () =>
    inFolder(async (folder) => {
      await mkdir(join(folder, 'backup'));
      await writeFile(join(folder, 'backup', 'jobs.jsonl.gz'), 'no gzip');
      const reader = await openBackup(join(folder, 'backup'));
      const lines = readLines(reader, 'jobs.jsonl.gz');
      return outcomeOf(lines.next());
    }),
};

function backup(name: string): Promise<string> {
  return inFolder(async (folder) => {
    const writer = await createBackup(join(folder, name));
    const added = outcomeOf(writer.add('part', Readable.from(failing())));
    const outcome = await added;
    await pauseBriefly();
    await writer.abandon();
    return outcome;
  });
}

const [selected] = process.argv.slice(2);
for (const [name, fail] of Object.entries(cases)) {
  if (selected && name !== selected) continue;
  const outcome = await fail();
  await pauseBriefly();
  console.log(`${name}: ${outcome}`);
}
exit(0); // connections and threads may be left
