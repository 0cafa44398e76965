/** Ends downloads whose client takes next to nothing: each holds a connection, an open file and a part of the memory. */
import type { Response } from 'express';

/** What a client has to take in each window. */
const leastBytes = 64 * 1024;

/**
 * Watches one answer until it is over. A client is slow when it took too little in a whole window although there was
 * more for it all the time; for a slow store it is not blamed.
 * @param windowMs how long a window is
 */
export function endWhenTooSlow(res: Response, windowMs: number): void {
  const { socket } = res;
  if (!socket) return;
  /** What has left this process, whether or not it has arrived. */
  const taken = () => socket.bytesWritten - socket.writableLength;
  let before = taken();
  const timer = setInterval(() => {
    const now = taken();
    if (res.writableNeedDrain && now - before < leastBytes) res.destroy();
    before = now;
  }, windowMs);
  timer.unref();
  res.once('close', () => clearInterval(timer));
}
