// Mutates files: changes bytes, removes, repeats, or swaps parts, and inserts significant tokens.
import type { Random } from '../../random/random.ts';

const maxMutations = 6;
const largestBytes = 4 * 1024 * 1024;
const numbers = [0, 1, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff];

/** Tokens that are significant to a parser. */
const words = [
  ...['<', '>', '</', '/>', '<!DOCTYPE x [<!ENTITY a "b">]>', '<![CDATA[', ']]>', '<!--', '&#x0;', '&#1114112;', '&a;', '_x0000_'],
  ...['r="1048577"', 's="-1"', 't="s"', 'number-rows-repeated="4294967295"', 'number-columns-repeated="999999"', 'text:c="99999999"'],
  ...['1e400', 'NaN', '-0', '99999999999999999999', '__proto__', 'constructor', 'http://[bad', '../../x', 'xl/vbaProject.bin'],
  ...['"', "'", ';', ',', '\t', '\r\n', '\0', '\ufeff', '=1+1', 'sep=;', '--boundary\r\n', '--boundary--\r\n', 'filename*=x', 'PK\x03\x04', 'PK\x05\x06'],
]; // biome-ignore format: by kind

/** @param others files of the same kind, to take parts from */
export function mutated(good: Buffer, others: readonly Buffer[], random: Random): Buffer {
  let bytes: Buffer = Buffer.from(good);
  const count = 1 + random.below(maxMutations);
  for (let number = 0; number < count; number++) bytes = random.pick(mutations)(bytes, others, random);
  return bytes.subarray(0, largestBytes);
}

type Mutation = (bytes: Buffer, others: readonly Buffer[], random: Random) => Buffer;

const mutations: Mutation[] = [
  function flipsBits(bytes, _, random) {
    for (let flips = 1 + random.below(8); flips > 0 && bytes.length > 0; flips--) {
      bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
    }
    return bytes;
  },
  function writesNumber(bytes, _, random) {
    const width = random.pick([1, 2, 4]);
    if (bytes.length < width) return bytes;
    const number = random.pick(numbers) % 256 ** width;
    const at = random.below(bytes.length - width + 1);
    if (random.below(2) === 0) bytes.writeUIntLE(number, at, width);
    else bytes.writeUIntBE(number, at, width);
    return bytes;
  },
  function leavesOut(bytes, _, random) {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  function repeats(bytes, _, random) {
    const [from, to] = range(bytes, random);
    const part = bytes.subarray(from, to);
    const most = Math.max(1, Math.floor(largestBytes / Math.max(part.length, 1)));
    const times = Math.min(random.pick([1, 2, 10, 1_000, 100_000]), most);
    return Buffer.concat([bytes.subarray(0, to), ...Array<Buffer>(times).fill(part), bytes.subarray(to)]);
  },
  function takesFromAnother(bytes, others, random) {
    const other = random.pick(others);
    const [from, to] = range(other, random);
    const at = random.below(bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, to), bytes.subarray(at)]);
  },
  function insertsWord(bytes, _, random) {
    const at = random.below(bytes.length + 1);
    const word = Buffer.from(random.pick(words), random.pick(['utf8', 'utf16le', 'latin1'] as const));
    return Buffer.concat([bytes.subarray(0, at), word, bytes.subarray(at)]);
  },
  function endsEarly(bytes, _, random) {
    return bytes.subarray(0, random.below(bytes.length + 1));
  },
];

function range(bytes: Buffer, random: Random): [from: number, to: number] {
  const from = random.below(bytes.length + 1);
  const length = random.pick([1, 4, 64, 4_096, bytes.length]);
  return [from, Math.min(bytes.length, from + random.below(length + 1))];
}
