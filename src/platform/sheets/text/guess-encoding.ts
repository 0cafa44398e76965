/**
 * Guesses the legacy encoding of a text. A library estimates probabilities from the bytes, which isn't reliable for short cells,
 * so the decoded text is checked too: words that mix scripts, capitals after small letters, and symbols inside words indicate the
 * wrong encoding.
 */
import { t } from '../../../contract/languages/text.ts';
import { SheetError } from '../model/error.ts';
import type { EncodingGuess } from '../model/types.ts';
import { alphabetScore } from './alphabets.ts';
import { mojibakeScore } from './mojibake.ts';

/** WHATWG name, the library's name, and prior weight. Encodings with the same letters as another are left out. */
const candidates: readonly [name: string, detected: string, weight: number][] = [
  ['windows-1252', 'windows-1252', 1.1],
  ['windows-1250', 'windows-1250', 1],
  ['windows-1251', 'windows-1251', 1],
  ['windows-1253', 'windows-1253', 1],
  ['windows-1254', 'windows-1254', 1],
  ['windows-1255', 'windows-1255', 1],
  ['windows-1256', 'windows-1256', 1],
  ['windows-1257', 'windows-1257', 0.85],
  ['windows-874', 'cp874', 1],
  ['iso-8859-2', 'iso-8859-2', 1],
  ['iso-8859-5', 'iso-8859-5', 1],
  ['iso-8859-7', 'iso-8859-7', 1],
  ['iso-8859-13', 'iso-8859-13', 0.85],
  ['iso-8859-15', 'iso-8859-15', 1],
  ['koi8-r', 'koi8-r', 1],
  ['ibm866', 'cp866', 0.8],
  ['macintosh', 'mac-roman', 0.9],
  ['x-mac-cyrillic', 'mac-cyrillic', 0.8],
  ['shift_jis', 'shift_jis_2004', 1],
  ['shift_jis', 'cp932', 1],
  ['euc-jp', 'euc-jis-2004', 0.6],
  ['gbk', 'gb18030', 1],
  ['big5', 'big5hkscs', 1],
  ['euc-kr', 'euc-kr', 1],
  ['euc-kr', 'cp949', 1],
];

/** Encodings with two-byte characters. */
const ofTwoBytes = new Set(['shift_jis', 'euc-jp', 'gbk', 'big5', 'euc-kr']);

const sampleBytes = 65_536;
/** The confidence in encodings that the library doesn't report. */
const minConfidence = 0.01;
/** Above this, the text is garbage in every encoding. */
const maxMojibake = 0.3;
/** Above this, no reading is certain. */
const maxCertainMojibake = 0.1;
/** The relative score of the runner-up up to which the best is certain. */
const rival = { standard: 0.75, ofTwoBytes: 0.45, ofFewLetters: 0.5 };
const fewLetters = 4;

interface Reading {
  encoding: string;
  /** The decoded sample. */
  text: string;
  mojibakeScore: number;
  score: number;
}

/** @param sample from `nonAsciiLines` @throws SheetError when the text is garbage in every known encoding */
export async function guessEncoding(
  bytes: Buffer,
  sample: Buffer,
): Promise<{ encoding: string; guess?: EncodingGuess }> {
  const readings = await readingsOf(sample);
  const at = readings.findIndex(({ encoding }) => isDecodable(bytes, encoding));
  const best = readings[at];
  if (!best || best.mojibakeScore > maxMojibake) throw unknownEncoding();
  const other = readings[at + 1];
  if (!other || isCertain(best, other)) return { encoding: best.encoding };
  return { encoding: best.encoding, guess: guessOf(best, other) };
}

/** @returns lines with non-ASCII bytes, enough to detect the encoding */
export function nonAsciiLines(bytes: Buffer): Buffer {
  const lines: Buffer[] = [];
  let length = 0;
  let begin = 0;
  let hasNonAscii = false;
  for (let at = 0; at <= bytes.length && length < sampleBytes; at++) {
    const byte = at < bytes.length ? bytes[at]! : lineFeed;
    if (byte > 0x7f) hasNonAscii = true;
    if (byte !== lineFeed && byte !== carriageReturn) continue;
    if (hasNonAscii) length += lines[lines.push(bytes.subarray(begin, at + 1)) - 1]!.length;
    begin = at + 1;
    hasNonAscii = false;
  }
  return Buffer.concat(lines).subarray(0, sampleBytes);
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Most probable first; encodings with the same decoded text count once. */
async function readingsOf(sample: Buffer): Promise<Reading[]> {
  const confidences = await detected(sample);
  const readings: Reading[] = [];
  for (const [encoding, , weight] of candidates) {
    const text = decoded(sample, encoding);
    if (text === undefined) continue;
    const confidence = Math.max(confidences.get(encoding) ?? 0, minConfidence);
    const same = readings.find((reading) => reading.text === text);
    const mojibake = same?.mojibakeScore ?? mojibakeScore(text);
    const score = confidence * weight * (1 - mojibake) ** 3 * alphabetScore(text);
    if (!same) readings.push({ encoding, text, mojibakeScore: mojibake, score });
    else if (score > same.score) same.score = score;
  }
  return readings.toSorted((a, b) => b.score - a.score);
}

/** The library's confidence from 0 to 1, for whole lines, and for non-ASCII words, which get lost among much ASCII. */
async function detected(sample: Buffer): Promise<Map<string, number>> {
  const { detectAll } = await import('jschardet'); // its tables take memory, and most files are UTF-8
  const detectEncodings = candidates.map(([, name]) => name);
  const confidences = new Map<string, number>();
  for (const bytes of [sample, nonAsciiWords(sample)]) {
    for (const { encoding, confidence } of detectAll(bytes, { detectEncodings, minimumThreshold: 0 })) {
      const name = nameOf(encoding ?? '');
      if (name) confidences.set(name, Math.max(confidences.get(name) ?? 0, confidence));
    }
  }
  return confidences;
}

/** The library's output and input names differ. */
const otherNames = new Map([
  ['iso-8859-1', 'windows-1252'],
  ['iso8859-15', 'iso-8859-15'],
  ['macroman', 'macintosh'],
  ['maccyrillic', 'x-mac-cyrillic'],
  ['ibm866', 'ibm866'],
  ['tis-620', 'windows-874'],
  ['euc-jp', 'euc-jp'],
  ['shift_jis', 'shift_jis'],
  ['big5', 'big5'],
]);

function nameOf(detectedName: string): string | undefined {
  const name = detectedName.toLowerCase();
  return otherNames.get(name) ?? candidates.find(([, known]) => known === name)?.[0];
}

/** The second byte of a character can be ASCII, from `@` on. */
function nonAsciiWords(sample: Buffer): Buffer {
  const words = sample.toString('latin1').match(/['@-~\x80-\xff]+/g) ?? [];
  return Buffer.from(words.filter((word) => /[\x80-\xff]/.test(word)).join(' '), 'latin1');
}

/** @returns undefined for invalid bytes, or characters that no text has */
function decoded(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return /[\x80-\x9f\ue000-\uf8ff]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isDecodable(bytes: Buffer, encoding: string): boolean {
  return decoded(bytes, encoding) !== undefined;
}

function isCertain(best: Reading, other: Reading): boolean {
  const isWide = ofTwoBytes.has(best.encoding) || ofTwoBytes.has(other.encoding);
  const hasFew = Array.from(best.text.matchAll(/\P{ASCII}/gu)).length < fewLetters;
  const most = isWide ? rival.ofTwoBytes : hasFew ? rival.ofFewLetters : rival.standard;
  return best.mojibakeScore <= maxCertainMojibake && other.score <= most * best.score;
}

const maxSample = 40;

/** Uses the first cell that differs. */
function guessOf(best: Reading, other: Reading): EncodingGuess {
  const otherCells = cellsOf(other.text);
  for (const [at, cell] of cellsOf(best.text).entries()) {
    if (cell === otherCells[at]) continue;
    return {
      sample: displayText(cell),
      other_encoding: other.encoding,
      other_sample: displayText(otherCells[at] ?? ''),
    };
  }
  return { sample: '', other_encoding: other.encoding, other_sample: '' };
}

/** Sanitized for storage and display. */
function displayText(text: string): string {
  return text.replaceAll('\0', '').slice(0, maxSample).toWellFormed();
}

function cellsOf(text: string): string[] {
  return text.split(/[,;\t|"\r\n]/);
}

function unknownEncoding(): SheetError {
  const message = t`The encoding of the file is unknown. Save it as UTF-8, or set its encoding.`;
  return new SheetError('unknown_encoding', message);
}
