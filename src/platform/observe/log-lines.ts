/** Writes log lines with pino's stream (sonic-boom). If that fails, lines are lost, but the process neither crashes nor hangs. */
import { writeSync } from 'node:fs';
import { pino } from 'pino';

/** The buffer limit for lines that can't be written; later lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;
/** How long to wait at exit for a reader that doesn't read. */
const maxWaitMs = 2_000;
const pauseMs = 20;

type Lines = ReturnType<typeof pino.destination>;

/** @param periodicMs flush interval; 0 for never */
export function openLines(where: { dest: string | number; mkdir?: boolean; mode?: number }, periodicMs: number): Lines {
  // Buffered, because writing each line would cost every request a system call.
  const lines = pino.destination({
    ...where,
    sync: false,
    minLength: 4_096,
    maxLength: maxWaitingBytes,
    periodicFlush: periodicMs,
  });
  lines.once('error', (error) => console.error(`The log can't be written: ${error}`));
  lines.on('error', () => {});
  const flush = lines.flushSync.bind(lines);
  lines.flushSync = () => flushAtEnd(lines, flush);
  return lines;
}

/** sonic-boom's internal state of unwritten lines. */
interface Waiting {
  fd: number;
  _bufs: string[];
  _len: number;
  _writing: boolean;
  _writingBuf: string;
}

/** The stream's own flush, which runs at exit, retries forever when the disk is full. */
function flushAtEnd(lines: Lines, fallback: () => void): void {
  const waiting = lines as unknown as Partial<Waiting>;
  if (!Array.isArray(waiting._bufs) || typeof waiting._writingBuf !== 'string' || !(waiting.fd! >= 0)) {
    fallback();
    return;
  }
  const partial = waiting._writing ? '' : waiting._writingBuf;
  const text = partial + waiting._bufs.join('');
  waiting._bufs.length = 0;
  if (!waiting._writing) waiting._writingBuf = '';
  waiting._len = waiting._writingBuf.length;
  writeAll(waiting.fd!, Buffer.from(text));
}

function writeAll(fd: number, bytes: Buffer): void {
  let waitedMs = 0;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EAGAIN' || waitedMs >= maxWaitMs) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    }
  }
}
