// Benchmarks 100 concurrent uploads of 10 MB. Limits: 150 MB above idle, and 50 ms event loop delay (p99).
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../run/sign-in.ts';
import { startBenchDatabase } from './harness/database.ts';
import { fill } from './harness/fill.ts';
import { mb, startWatched } from './harness/watched.ts';

const [uploads = 100, rounds = 3] = process.argv.slice(2).map(Number);
const fileBytes = 10 * 1024 * 1024;
const pieceBytes = 65_536;
const maxMemoryMb = 150;
const maxDelayMs = 50;
const settledMs = 2_000;

const content = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(fileBytes - 9)]);
const boundary = randomBytes(12).toString('hex');
const before = Buffer.from(
  `--${boundary}\r\nContent-Disposition: form-data; name="type"\r\n\r\ncontract\r\n` +
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="contract.pdf"\r\n` +
    'Content-Type: application/pdf\r\n\r\n',
);
const after = Buffer.from(`\r\n--${boundary}--\r\n`);
const agent = new Agent({ keepAlive: true, maxSockets: uploads });

const database = await startBenchDatabase();
try {
  process.exitCode = (await main(database.url)) ? 0 : 1;
} finally {
  await database.end();
}

/** @returns whether the limits were met */
async function main(url: string): Promise<boolean> {
  const data = await fill(url, 1_000, 2);
  const files = join(database.folder, 'files');
  const server = await startWatched('api', { DATABASE_URL: url, STORAGE_URL: `file:${files}` });
  const { base_url: baseUrl } = server;
  const { access_token: accessToken } = await signIn({ base_url: baseUrl, ...data });
  const headers = { authorization: `Bearer ${accessToken}`, 'x-company-id': data.company_id };
  const path = `${baseUrl}/v1/collaborators/${data.ids[0]}/documents`;

  await sleep(settledMs);
  const idleMb = mb((await server.reset()).rssBytes); // before the first upload, so that what it loads and compiles counts
  console.log(`idle: ${idleMb.toFixed(0)} MB; ${uploads} uploads of 10 MB at once, Node ${process.version}\n`);
  console.log('| round | seconds | MB/s | peak above idle, MB | event-loop delay p50 / p99 / max, ms |');
  console.log('| --- | --- | --- | --- | --- |');
  let withinLimits = true;
  for (let round = 1; round <= rounds; round++) {
    await server.reset();
    const started = performance.now();
    await Promise.all(Array.from({ length: uploads }, () => upload(path, headers)));
    const seconds = (performance.now() - started) / 1_000;
    const { peakBytes, p50_ms: p50Ms, p99_ms: p99Ms, max_ms: maxMs } = await server.figures();
    const aboveMb = mb(peakBytes) - idleMb;
    const delays = [p50Ms, p99Ms, maxMs].map((delay) => delay.toFixed(1)).join(' / ');
    const speed = ((uploads * 10) / seconds).toFixed(0);
    console.log(`| ${round} | ${seconds.toFixed(1)} | ${speed} | ${aboveMb.toFixed(0)} | ${delays} |`);
    withinLimits &&= aboveMb <= maxMemoryMb && p99Ms < maxDelayMs;
    await sleep(settledMs);
  }
  const storedFiles = (await readdir(files, { recursive: true })).filter((name) => /[0-9a-f]{40}$/.test(name)).length;
  const expected = rounds * uploads;
  console.log(`\n${storedFiles} of ${expected} files are in the storage`);
  console.log(`limits (${maxMemoryMb} MB, ${maxDelayMs} ms): ${withinLimits ? 'kept' : 'NOT KEPT'}`);
  return withinLimits && storedFiles === expected;
}

/** In chunks, as fast as the service reads, so that this process is not the bottleneck. */
function upload(url: string, headers: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const form = {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': before.length + content.length + after.length,
    };
    const sent = request(url, { method: 'POST', agent, headers: { ...headers, ...form } }, (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += bytes));
      response.on('end', () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`${response.statusCode} ${text}`)),
      );
    });
    sent.on('error', reject);
    sent.write(before);
    let at = 0;
    const writePieces = () => {
      while (at < content.length) {
        const piece = content.subarray(at, at + pieceBytes);
        at += piece.length;
        if (!sent.write(piece)) return void sent.once('drain', writePieces);
      }
      sent.end(after);
    };
    writePieces();
  });
}
