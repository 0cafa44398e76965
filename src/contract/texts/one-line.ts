/** Normalizes and validates single-line texts such as names. Imports nothing, because the command line and console use it too. */

/** Printable ASCII and Latin letters, which most texts consist of: already normalized. */
const plain = /^[ -~¡-¬®-ʯ]*$/;
const space = 0x20;

/** White space, format characters, variation selectors, tags, and the fillers of Hangul and Braille. */
const invisible = /[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Line breaks and other controls, lone surrogates, and direction embeddings, isolates, and overrides (UAX 9). */
const refused = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const allRefused = new RegExp(refused, 'gu');

/** Longer than any field. Longer texts aren't normalized, because sorting combining marks takes quadratic time. */
const maxComposed = 2_048;

/** Normalizes to NFC (UAX 15), and trims invisible characters. @returns an empty text if nothing is visible */
export function oneLine(text: string): string {
  if (isPlainLine(text)) return text;
  const trimmed = trimInvisible(text);
  return trimmed.length > maxComposed ? trimmed : trimmed.normalize('NFC');
}

/** The same, with white space collapsed to single spaces. */
export function words(text: string): string {
  return oneLine(text.replaceAll(/\s+/g, ' '));
}

/** A cheap check whether a text is normalized and valid, which most texts pass. False for an empty text. */
export function isPlainLine(text: string): boolean {
  return text.charCodeAt(0) > space && text.charCodeAt(text.length - 1) > space && plain.test(text);
}

/** Keeps joiners inside (emoji, Persian and Indic scripts), and selectors and tags that belong to a character. */
export function trimInvisible(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to) {
    const character = String.fromCodePoint(text.codePointAt(from)!);
    if (!invisible.test(character)) break;
    from += character.length;
  }
  while (to > from) {
    const character = lastCharacter(text, to);
    if (!invisible.test(character) || belongsToText(text, from, to, character)) break;
    to -= character.length;
  }
  return text.slice(from, to);
}

/** The code point that ends at an index. */
function lastCharacter(text: string, to: number): string {
  const pair = text.slice(Math.max(0, to - 2), to);
  return pair.length === 2 && pair.codePointAt(0)! > 0xffff ? pair : text.slice(to - 1, to);
}

/** UTF-16 units of the longest sequence in `sequences`. */
const maxSequence = 80;

/** Sequences that end with an invisible but significant character, by that character. */
const sequences: [RegExp, RegExp][] = [
  // A picture, an ideograph, or a letter of Mongolian or Myanmar in a certain shape.
  [/^\p{Variation_Selector}$/u, /[\p{Extended_Pictographic}\p{Ideographic}\p{Script=Mongolian}\p{Script=Myanmar}].$/u],
  // Half forms, and letters such as the chillus of Malayalam as older programs write them.
  [/^\u200d$/, /[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca].$/u],
  // The flag of a region, such as Scotland.
  [/^\u{e007f}$/u, /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,32}.$/u],
];

function belongsToText(text: string, from: number, to: number, character: string): boolean {
  const [, sequence] = sequences.find(([last]) => last.test(character)) ?? [];
  return sequence?.test(text.slice(Math.max(from, to - maxSequence), to)) ?? false;
}

/** @returns the first character forbidden in a single-line text, for example `U+202E` */
export function refusedCharacter(text: string): string | undefined {
  return codeOf(refused.exec(text)?.[0]);
}

/** Removes forbidden characters, for input that is never rejected. */
export function withoutRefused(text: string): string {
  return text.replace(allRefused, '');
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Scripts that write words with the two joiners (RFC 5892, appendix A). */
const joined =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nko}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]/u;
const pictograph = /\p{Extended_Pictographic}/u;
const joiners = new Set(['\u200c', '\u200d']);
/** Selects the emoji presentation of a character. */
const pictureSelector = '\ufe0f';

/**
 * For names that people base trust on: they must be what they look like (UTS 39, section 5.4), so invisible characters are
 * forbidden inside too, unless emoji or the script require them.
 * @returns the first one, for example `U+200B`
 */
export function hiddenCharacter(name: string): string | undefined {
  for (const { 0: character, index } of name.matchAll(hidden)) {
    const before = lastCharacter(name, index);
    const after = String.fromCodePoint(name.codePointAt(index + character.length) ?? 0);
    if (joiners.has(character) && joined.test(before) && joined.test(after)) continue;
    if (character === pictureSelector && pictograph.test(before)) continue;
    const joinsPictures = pictograph.test(after) && (pictograph.test(before) || before === pictureSelector);
    if (character === '\u200d' && joinsPictures) continue;
    return codeOf(character);
  }
  return undefined;
}

/** In Unicode notation. */
export function codeOf(character: string | undefined): string | undefined {
  return character && `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}
