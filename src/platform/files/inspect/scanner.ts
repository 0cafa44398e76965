/** Scans uploads for viruses, with clamd over TCP. Optional: without CLAMD_URL nothing is scanned. */
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { serviceUnavailable } from '../../../contract/problem.ts';

export interface Scanner {
  /** @returns the name of the virus @throws 503 without a result: unscanned files aren't accepted */
  scan(content: Readable): Promise<string | undefined>;
}

export interface ScannerConfig {
  clamd: { host: string; port: number; timeout_ms: number } | undefined;
}

const maxResponseChars = 4_096;

export function createScanner({ clamd }: ScannerConfig): Scanner | undefined {
  if (!clamd) return undefined;
  const { host, port, timeout_ms: timeoutMs } = clamd;
  return {
    async scan(content) {
      const socket = connect({ host, port, signal: AbortSignal.timeout(timeoutMs) });
      try {
        const pending = readResponse(socket);
        // clamd may respond and close before it has read everything, so write errors are ignored and the response counts.
        const [response] = await Promise.all([pending, send(socket, content).catch(() => {})]);
        return verdict(response);
      } catch (error) {
        throw serviceUnavailable(error);
      } finally {
        content.destroy();
        socket.destroy();
      }
    },
  };
}

/** The command INSTREAM: chunks prefixed with their length, ended by a chunk of length 0. */
async function send(socket: Socket, content: Readable): Promise<void> {
  await write(socket, Buffer.from('zINSTREAM\0'));
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(chunk.length);
    socket.cork();
    socket.write(length);
    const written = write(socket, chunk);
    socket.uncork();
    await written;
  }
  await write(socket, Buffer.alloc(4));
}

function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** A line terminated by a zero byte. @throws when the connection fails or ends without one */
function readResponse(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\0');
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > maxResponseChars) reject(new Error('the response of clamd does not end'));
    });
    socket.on('error', reject);
    socket.once('close', () => reject(new Error('clamd closed the connection without a response')));
  });
}

/** @throws for any response but clean or infected, for example when the file exceeds clamd's limit */
function verdict(response: string): string | undefined {
  const line = response.trim();
  if (line === 'stream: OK') return undefined;
  const found = /^stream: (.+) FOUND$/.exec(line);
  if (found) return found[1];
  throw new Error(`clamd: ${line.slice(0, 200)}`);
}
