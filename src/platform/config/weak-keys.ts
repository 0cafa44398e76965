/** Detects keys that aren't random bytes. Fewer than one in a million random keys is rejected. */

/** Of 32 random bytes about 30 are distinct. */
const minDistinct = 20;

/** @returns why a 32-byte key is guessable, or undefined */
export function weakKey(key: Buffer): string | undefined {
  const bytes = [...key];
  if (bytes.every((byte) => byte === bytes[0])) return 'one repeated byte';
  if (new Set(bytes).size < minDistinct) return 'few different bytes';
  const step = (bytes[1]! - bytes[0]! + 256) % 256;
  if (bytes.every((byte, i) => i === 0 || (byte - bytes[i - 1]! + 256) % 256 === step)) return 'a sequence';
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'letters and digits';
  return undefined;
}
