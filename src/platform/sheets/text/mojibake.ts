/** Scores how much a text looks like it was decoded with the wrong encoding. */

/** @returns the share of non-ASCII characters in positions that are unusual in names and words; 0 without any */
export function mojibakeScore(text: string): number {
  let nonAscii = 0;
  let unusual = 0;
  for (const word of text.split(/[\s!-&(-,./:-@[-`{-~]+/)) {
    if (!beyondAscii.test(word)) continue;
    const letters = [...word];
    const isMixed = hasSeveralScripts(letters);
    for (const [at, letter] of letters.entries()) {
      if (letter <= '\x7f' || isStandaloneSymbol(letter, letters[at - 1], letters[at + 1])) continue;
      nonAscii++;
      unusual += isMixed ? 1 : unusualnessOf(letter, letters[at - 1] ?? '', letters[at + 1] ?? '');
    }
  }
  return nonAscii === 0 ? 0 : unusual / nonAscii;
}

const beyondAscii = /[^\p{ASCII}]/u;
const letterOrMark = /[\p{L}\p{M}]/u;
const capital = /\p{Lu}/u;
const small = /\p{Ll}/u;
const ideograph = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Half-width katakana: rare in current files, and a common result of wrong decoding. */
const halfWidth = /[\uff61-\uff9f]/;
/** Symbols that occur next to letters. */
const commonSymbols = /[‘’‚“”„«»–—·ªº°・ー々]/;

/** A standalone symbol is no evidence: a price in euros, a bullet point. */
function isStandaloneSymbol(letter: string, before = '', after = ''): boolean {
  if (letterOrMark.test(letter)) return false;
  const touches = (other: string) => letterOrMark.test(other) || beyondAscii.test(other);
  if (letter === '…') return !touches(after);
  return commonSymbols.test(letter) || !(touches(before) || touches(after));
}

function unusualnessOf(letter: string, before: string, after: string): number {
  if (!letterOrMark.test(letter) || halfWidth.test(letter)) return 1;
  if (ideograph.test(letter)) return isAscii(before) && isAscii(after) ? 1 : Number(/[a-z]/.test(before + after));
  if (capital.test(letter)) return Number(small.test(before) || (capital.test(before) && small.test(after)));
  if (!small.test(letter)) return 0;
  if (capital.test(after)) return 1;
  return before === '' ? 0.2 : 0; // most names start with a capital
}

function isAscii(letter: string): boolean {
  return /[A-Za-z]/.test(letter);
}

const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Hebrew}/u, /\p{Script=Arabic}/u, /\p{Script=Thai}/u, /\p{Script=Hangul}/u]; // biome-ignore format: a list
const ideographs = scripts.length;

/** Japanese and Chinese words mix several scripts, and may contain Latin letters. */
function hasSeveralScripts(letters: readonly string[]): boolean {
  const found = new Set<number>();
  for (const letter of letters) {
    if (!letterOrMark.test(letter) || /[\uff00-\uffef]/.test(letter)) continue;
    const script = scripts.findIndex((each) => each.test(letter));
    found.add(script < 0 ? ideographs : script);
  }
  if (found.has(ideographs)) found.delete(0);
  return found.size > 1;
}
