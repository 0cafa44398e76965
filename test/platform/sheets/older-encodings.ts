/** Encodes text in encodings that Node can only decode, by looking each character up among all one- and two-byte sequences. */

export type Encoding = string;

const known = new Map<Encoding, Map<string, number[]>>();

/** @throws for a character that the encoding lacks */
export function encoded(text: string, encoding: Encoding): Buffer {
  const bytes = known.get(encoding) ?? bytesOf(encoding);
  known.set(encoding, bytes);
  return Buffer.from(
    [...text].flatMap((character) => {
      const found = bytes.get(character);
      if (!found) throw new Error(`${encoding} has no ${character}`);
      return found;
    }),
  );
}

function bytesOf(encoding: Encoding): Map<string, number[]> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const found = new Map<string, number[]>();
  const add = (...bytes: number[]) => {
    try {
      const character = decoder.decode(Uint8Array.from(bytes));
      if ([...character].length === 1 && !found.has(character)) found.set(character, bytes);
    } catch {
      // these bytes mean nothing
    }
  };
  for (let first = 0; first < 256; first++) add(first);
  for (let first = 0x81; first < 255; first++) for (let second = 0x40; second < 255; second++) add(first, second);
  return found;
}
