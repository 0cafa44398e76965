/** Downloads a file to a temporary name first, so that a file with the final name is always complete. */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { CliError } from '../terminal/failure.ts';
import { progressBar } from '../terminal/progress-bar.ts';

/**
 * @param url a `/files` URL, which needs no token
 * @param file destination; overwritten if it exists
 * @param onBytes receives the bytes so far, and the total if known
 * @returns the size in bytes
 */
export async function download(url: string, file: string, { signal, onBytes }: DownloadOptions): Promise<number> {
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`;
  try {
    const response = await fetch(url, { signal });
    if (response.status !== 200 || !response.body) throw new CliError(`the file request returned ${response.status}`);
    const total = Number(response.headers.get('content-length')) || undefined;
    let bytes = 0;
    const countBytes = async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        onBytes?.(bytes, total);
        yield chunk;
      }
    };
    const body = Readable.fromWeb(response.body as ReadableStream);
    await pipeline(body, countBytes, createWriteStream(draft, { flags: 'wx' }), { signal });
    if (total !== undefined && bytes !== total)
      throw new CliError(`the download stopped after ${bytes} of ${total} bytes`);
    await rename(draft, file);
    return bytes;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { name, message, cause } = error as Error & { cause?: Error };
    if (name === 'TypeError') throw new CliError(`the file can't be fetched: ${cause?.message ?? message}`); // thrown by fetch
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

interface DownloadOptions {
  /** Aborts the download and removes the partial file. */
  signal: AbortSignal;
  onBytes?: (bytes: number, total: number | undefined) => void;
}

/** Downloads with a progress bar. @param size in bytes, as reported by the service */
export async function fetchFile(url: string, file: string, size: number | null, signal: AbortSignal): Promise<number> {
  const bar = progressBar();
  try {
    const onBytes = (bytes: number, total = size ?? bytes) => bar.update((bytes / total) * 100, 'Fetching');
    return await download(url, file, { signal, onBytes });
  } finally {
    bar.end();
  }
}
