import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '../../../src/platform/config/config.ts';
import { createFiles } from '../../../src/platform/files/context.ts';
import { receiveDocument } from '../../../src/platform/files/inspect/receive-file.ts';
import { createScanner, type Scanner } from '../../../src/platform/files/inspect/scanner.ts';
import { testSettings } from '../../helpers/settings.ts';
import { withTimeout } from '../../helpers/timing.ts';
import { pdf } from './samples.ts';

/** The EICAR test signature, split so that scanners ignore this file. */
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const companyId = '0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30';

/** Speaks the clamd protocol: reads INSTREAM chunks, looks for the test signature, and responds with one line. */
function clamd({
  max_bytes: maxBytes = 1_000_000,
  reply = (found: boolean): string => (found ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0'),
} = {}) {
  const scanned: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    let bytes = Buffer.alloc(0);
    let content = Buffer.alloc(0);
    let commanded = false;
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      if (!commanded) {
        if (bytes.length < 10) return;
        if (bytes.toString('latin1', 0, 10) !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0');
        commanded = true;
        bytes = bytes.subarray(10);
      }
      while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
        const length = bytes.readUInt32BE(0);
        if (length === 0) {
          scanned.push(content);
          return void socket.end(reply(content.includes(eicar)));
        }
        content = Buffer.concat([content, bytes.subarray(4, 4 + length)]);
        bytes = bytes.subarray(4 + length);
        if (content.length > maxBytes) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      }
    });
  });
  return new Promise<{ scanner: (timeoutMs?: number) => Scanner; url: string; scanned: Buffer[]; close(): void }>(
    (resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        resolve({
          scanner: (timeoutMs = 5_000) => createScanner({ clamd: { host: '127.0.0.1', port, timeout_ms: timeoutMs } })!,
          url: `tcp://127.0.0.1:${port}`,
          scanned,
          close() {
            for (const socket of sockets) socket.destroy();
            server.close();
          },
        });
      });
    },
  );
}

const pieces = (content: Buffer | string, bytes = 50_000) => {
  const whole = Buffer.from(content as string);
  const parts: Buffer[] = [];
  for (let at = 0; at < whole.length; at += bytes) parts.push(whole.subarray(at, at + bytes));
  return Readable.from(parts, { objectMode: false });
};
const noVerdict = { status: 503, code: 'service_unavailable', headers: { 'Retry-After': '5' } };

let peer: Awaited<ReturnType<typeof clamd>>;
afterEach(() => peer.close());

test('a clean file passes, and is sent unmodified', async () => {
  peer = await clamd();
  const content = Buffer.alloc(700_000, 'clean');
  expect(await peer.scanner().scan(pieces(content))).toBeUndefined();
  expect(peer.scanned).toEqual([content]);
});

test('a virus is found, even across two chunks', async () => {
  peer = await clamd();
  expect(await peer.scanner().scan(pieces(eicar))).toBe('Eicar-Test-Signature');
  expect(await peer.scanner().scan(pieces(`${'x'.repeat(100)}${eicar}`, 120))).toBe('Eicar-Test-Signature');
});

test('a file over clamd’s limit gets no verdict', async () => {
  peer = await clamd({ max_bytes: 1_000 });
  const content = pieces(Buffer.alloc(5_000_000), 65_536);
  await expect(peer.scanner().scan(content)).rejects.toMatchObject(noVerdict);
  expect(content.destroyed).toBe(true);
});

test.each([
  'stream: Some engine trouble ERROR\0',
  'UNKNOWN COMMAND\0',
  'OK\0',
  'stream: OK',
  'stream: OK, almost\0',
  '',
  'x'.repeat(10_000),
])('the response %j isn’t a verdict', async (reply) => {
  peer = await clamd({ reply: () => reply });
  await expect(peer.scanner().scan(pieces('hello'))).rejects.toMatchObject(noVerdict);
});

test('gives up on a scanner that doesn’t respond', async () => {
  peer = await clamd({ reply: () => '' });
  const silent = createServer((socket) => void socket.resume()); // otherwise its socket stays open
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const { port } = silent.address() as AddressInfo;
  const scanner = createScanner({ clamd: { host: '127.0.0.1', port, timeout_ms: 200 } })!;
  await expect(withTimeout(3_000, scanner.scan(pieces(Buffer.alloc(3_000_000))))).rejects.toMatchObject(noVerdict);
  silent.close();
});

test('an unreachable scanner is an outage', async () => {
  peer = await clamd();
  const scanner = peer.scanner();
  peer.close();
  await expect(scanner.scan(pieces('hello'))).rejects.toMatchObject(noVerdict);
});

test('there is no scanner without the setting', () => {
  expect(createScanner({ clamd: undefined })).toBeUndefined();
});

describe('an upload', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'scan-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function upload(content: Buffer, filename: string) {
    const settings = { ...testSettings, DATA_DIR: folder, CLAMD_URL: peer.url };
    const { storage, scanner } = createFiles(readConfig(settings), 'http://x');
    const received = receiveDocument(storage, scanner, companyId, pieces(content), { filename, media_type: '' });
    const outcome = await received.catch((error) => error);
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    return { outcome, keys };
  }

  test('that is clean is stored', async () => {
    peer = await clamd();
    const { outcome, keys } = await upload(pdf(), 'a.pdf');
    expect(keys).toEqual([outcome.key]);
    expect(peer.scanned).toEqual([pdf()]);
  });

  test('that is infected is rejected with its own code, and removed', async () => {
    peer = await clamd();
    const { outcome, keys } = await upload(Buffer.from(eicar), 'a.txt');
    expect(outcome).toMatchObject({ status: 422, code: 'file_infected', cause: { message: 'Eicar-Test-Signature' } });
    expect(JSON.stringify(outcome.body())).not.toContain('Eicar');
    expect(keys).toEqual([]);
  });

  test('without a verdict is rejected, and removed', async () => {
    peer = await clamd({ reply: () => 'stream: trouble ERROR\0' });
    const { outcome, keys } = await upload(pdf(), 'a.pdf');
    expect(outcome).toMatchObject(noVerdict);
    expect(keys).toEqual([]);
  });
});
