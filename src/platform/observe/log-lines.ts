/**
 * Where lines of the log go: standard output or a file, by pino's own stream (sonic-boom). A log that can not be written
 * neither ends the process nor keeps it from ending: lines are lost, the service is not.
 */
import { writeSync } from 'node:fs';
import { pino } from 'pino';

/** Of lines that can not be written; those that come then are left out. */
const mostWaitingBytes = 16 * 1024 * 1024;
/** How long a reader that takes nothing is waited for at the end. */
const longestWaitMs = 2_000;
const pauseMs = 20;

type Lines = ReturnType<typeof pino.destination>;

/** @param periodicMs how often what was gathered is written; 0 for never */
export function openLines(where: { dest: string | number; mkdir?: boolean; mode?: number }, periodicMs: number): Lines {
  // Not each line at once, which would cost every request a system call: what a busy moment logs is written together.
  const lines = pino.destination({
    ...where,
    sync: false,
    minLength: 4_096,
    maxLength: mostWaitingBytes,
    periodicFlush: periodicMs,
  });
  lines.once('error', (error) => console.error(`The log can not be written: ${error}`));
  lines.on('error', () => {});
  const flush = lines.flushSync.bind(lines);
  lines.flushSync = () => flushAtEnd(lines, flush);
  return lines;
}

/** What the stream has not begun to write. */
interface Waiting {
  fd: number;
  _bufs: string[];
  _len: number;
  _writing: boolean;
  _writingBuf: string;
}

/** The stream's own way, which the end of a process takes, tries for ever where a disk is full. */
function flushAtEnd(lines: Lines, otherwise: () => void): void {
  const waiting = lines as unknown as Partial<Waiting>;
  if (!Array.isArray(waiting._bufs) || typeof waiting._writingBuf !== 'string' || !(waiting.fd! >= 0)) {
    otherwise();
    return;
  }
  const begun = waiting._writing ? '' : waiting._writingBuf;
  const text = begun + waiting._bufs.join('');
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
      if (code !== 'EAGAIN' || waitedMs >= longestWaitMs) return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
      waitedMs += pauseMs;
    }
  }
}
