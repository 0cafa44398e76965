/** A virus scanner that finds these texts, by the protocol of clamd. */
import { type AddressInfo, createServer } from 'node:net';

export const virus = 'A-VIRUS-OF-THE-TESTS';
/** It gives no verdict on this one. */
export const unscannable = 'NO-VERDICT-IN-THE-TESTS';

export async function startVirusScanner(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    let verdict = 'OK';
    socket.on('error', () => {});
    socket.on('data', (some) => {
      if (some.includes(virus)) verdict = 'Test.Virus FOUND';
      if (some.includes(unscannable)) verdict = 'size limit exceeded. ERROR';
      if (some.subarray(-4).equals(Buffer.alloc(4))) socket.end(`stream: ${verdict}\0`); // a chunk of length 0 is the last
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
