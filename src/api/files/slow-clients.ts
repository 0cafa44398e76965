/** Aborts downloads by very slow clients: each holds a connection, an open file, and memory. */
import type { Response } from 'express';

/** Bytes a client must read per window. */
const minBytes = 64 * 1024;

/**
 * A client is too slow if it read too little in a window although data was waiting; slow storage doesn't count against it.
 * @param windowMs length of a window
 */
export function closeWhenTooSlow(res: Response, windowMs: number): void {
  const { socket } = res;
  if (!socket) return;
  /** Bytes handed to the kernel, whether or not they arrived. */
  const flushedBytes = () => socket.bytesWritten - socket.writableLength;
  let previous = flushedBytes();
  const timer = setInterval(() => {
    const current = flushedBytes();
    if (res.writableNeedDrain && current - previous < minBytes) res.destroy();
    previous = current;
  }, windowMs);
  timer.unref();
  res.once('close', () => clearInterval(timer));
}
