/** The protocol between the service and a decoder. Nothing is deserialized: a hostile file may have compromised the decoder. */

export interface Frame {
  kind: number;
  content: Buffer;
}

/** The kinds of messages; keep in sync with `decoder-main.js`. */
export const request = { decode: 1, decodeStrictly: 2 } as const;
export const response = { ready: 1, avatar: 2, refused: 3 } as const;

const headBytes = 5;
const maxResponseBytes = 2 * 1024 * 1024;

export function frame(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(content.length, 1);
  return Buffer.concat([head, content]);
}

/** Reassembles responses from the chunks of a stream. @returns a function for the next chunk, which may throw */
export function responseReader(onResponse: (response: Frame) => void): (piece: Buffer) => void {
  let waiting: Buffer = Buffer.alloc(0);
  return (piece) => {
    waiting = Buffer.concat([waiting, piece]);
    while (waiting.length >= headBytes) {
      const length = waiting.readUInt32BE(1);
      if (length > maxResponseBytes) throw new Error(`a response of ${length} bytes`);
      const end = headBytes + length;
      if (waiting.length < end) return;
      onResponse({ kind: waiting.readUInt8(0), content: waiting.subarray(headBytes, end) });
      waiting = waiting.subarray(end);
    }
  };
}
