/** Keys that are no random bytes. None of these rules meets one of a million keys that are. */

/** Of 32 random bytes about 30 differ from each other. */
const fewestDifferent = 20;

/** @returns why a key of 32 bytes can be guessed; undefined when nothing speaks for it */
export function weakKey(key: Buffer): string | undefined {
  const bytes = [...key];
  if (bytes.every((byte) => byte === bytes[0])) return 'the same byte again and again';
  if (new Set(bytes).size < fewestDifferent) return 'few different bytes';
  const step = (bytes[1]! - bytes[0]! + 256) % 256;
  if (bytes.every((byte, i) => i === 0 || (byte - bytes[i - 1]! + 256) % 256 === step)) return 'a sequence';
  if (bytes.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'letters and digits';
  return undefined;
}
