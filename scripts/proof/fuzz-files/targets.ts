// The parsers under test, used as in the service but without its database. A rejection is fine; any other error is a failure.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import express from 'express';
import { readForm } from '../../../src/api/http/body/multipart.ts';
import { Problem } from '../../../src/contract/problem.ts';
import { receiveDocument } from '../../../src/platform/files/inspect/receive-file.ts';
import type { ByteRange, Storage } from '../../../src/platform/files/store/storage.ts';
import { DecodingError } from '../../../src/platform/photos/decoder-process.ts';
import { PhotoDecoders } from '../../../src/platform/photos/decoders.ts';
import { processPhoto } from '../../../src/platform/photos/photo.ts';
import { ReaderError, SheetError } from '../../../src/platform/sheets/model/error.ts';
import { SheetReader } from '../../../src/platform/sheets/reader.ts';
import { receiveImport } from '../../../src/product/imports/receive-import-file.ts';
import { boundary, type Kind } from './seeds.ts';

export type Outcome = 'taken' | 'refused';
export type Target = (bytes: Buffer) => Promise<Outcome>;

const companyId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

function memory(): Storage {
  const files = new Map<string, Buffer>();
  return {
    async put(key, content) {
      const pieces: Buffer[] = [];
      for await (const piece of content) pieces.push(piece as Buffer);
      files.set(key, Buffer.concat(pieces));
    },
    async read(key, range?: ByteRange) {
      const file = files.get(key)!;
      return Readable.from([range ? file.subarray(range.start, range.end + 1) : file]);
    },
    size: async (key) => files.get(key)?.length,
    remove: async (key) => void files.delete(key),
    async *list() {},
    check: async () => {},
  };
}

/** @throws anything but a rejection */
async function outcomeOf(work: Promise<unknown>): Promise<Outcome> {
  try {
    await work;
    return 'taken';
  } catch (error) {
    if (error instanceof SheetError && error.cause instanceof ReaderError) throw error.cause;
    if (error instanceof Problem && error.cause instanceof DecodingError && error.cause.failure !== 'damaged')
      throw error.cause;
    const isRefusal = error instanceof SheetError || (error instanceof Problem && error.status < 500);
    if (isRefusal) return 'refused';
    throw error;
  }
}

/** As an import: upload first, then parsing in a worker thread. */
function sheet(): Target {
  const reader = new SheetReader(1);
  const readAll = async (bytes: Buffer) => {
    for await (const _ of (await reader.open(bytes)).rows);
  };
  return async (bytes) => {
    const received = receiveImport({ storage: memory(), scanner: undefined }, companyId, Readable.from(pieces(bytes)), { filename: 'people' }); // biome-ignore format: short
    await outcomeOf(received);
    return outcomeOf(readAll(bytes));
  };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 16_384) yield bytes.subarray(at, at + 16_384);
}

/** As a photo. A decoder that crashes or times out is a failure here, although the service rejects such a photo. */
function image(): Target {
  const decoders = new PhotoDecoders();
  return (bytes) => outcomeOf(processPhoto(decoders, bytes, { company_id: companyId, field: 'file' }));
}

/** Over HTTP, because the form is parsed while it arrives. */
function form(): Target {
  const app = express();
  app.use(async (req, res) => {
    const receive = (_: string, stream: Readable, claimed: { filename: string; media_type: string }) =>
      receiveDocument(memory(), undefined, companyId, stream, claimed);
    const reading = readForm(req, res, { files: ['file'], max_bytes: 1_000_000, receive, discard: async () => {} });
    const outcome = await outcomeOf(reading).catch((error: Error) => error);
    res.status(outcome instanceof Error ? 500 : 200).end(outcome instanceof Error ? outcome.stack : outcome);
  });
  const server = createServer(app);
  server.on('error', () => {});
  const listening = once(server.listen(0, '127.0.0.1'), 'listening');
  return async (bytes) => {
    await listening;
    const { port } = server.address() as AddressInfo;
    const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
    const sent = request({ port, method: 'POST', headers, agent: false });
    sent.on('error', () => {}); // the response may arrive before everything is sent
    sent.end(bytes);
    const [response] = await once(sent, 'response');
    let text = '';
    for await (const piece of response) text += piece;
    if (response.statusCode === 500) throw new Error(text);
    return text as Outcome;
  };
}

/** Misbehaves on purpose, to verify the detection. */
function broken(): Target {
  const retained: Buffer[] = [];
  return async (bytes) => {
    if (bytes[0] === 0) throw new TypeError('a crash');
    while (bytes[0] === 1);
    if (bytes[0] === 2) for (let piece = 0; piece < 6; piece++) retained.push(Buffer.alloc(100 * 1024 * 1024, 1));
    if (bytes[0] === 3) setImmediate(() => new Readable({ read() {} }).destroy(new Error('nobody hears it')));
    return 'taken';
  };
}

export const targets: Record<Kind | 'broken', () => Target> = {
  xlsx: sheet,
  xls: sheet,
  xlsb: sheet,
  ods: sheet,
  csv: sheet,
  form,
  image,
  document: () => (bytes) =>
    outcomeOf(
      receiveDocument(memory(), undefined, companyId, Readable.from(pieces(bytes)), {
        filename: 'file',
        media_type: 'application/octet-stream',
      }),
    ),
  broken,
};
