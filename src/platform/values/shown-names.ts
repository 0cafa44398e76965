/**
 * Names that decide whom somebody trusts: of an app and of a company, on the page that asks for consent. What is written must be what
 * is read, so they have no characters that nobody sees, and none that turn the direction of the text around (UTS 39, section 5.4; UAX 9).
 */

import { say } from '../../contract/languages/text.ts';
import type { FieldErrors } from '../../contract/problem.ts';

/** Controls, ends of lines, marks of direction, spaces without width, selectors, tags, and the blanks of Hangul and Braille. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Of scripts in which the two joiners are part of how words are written (RFC 5892, appendix A). */
const joined =
  /[\p{scx=Arab}\p{scx=Syrc}\p{scx=Mong}\p{scx=Nko}\p{scx=Deva}\p{scx=Beng}\p{scx=Guru}\p{scx=Gujr}\p{scx=Orya}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Sinh}\p{scx=Khmr}]/u;
const pictograph = /\p{Extended_Pictographic}/u;
const joiners = new Set(['\u200c', '\u200d']);
/** As a picture, and not as text. */
const picture_selector = '\ufe0f';

/** @returns what is wrong with such a name; nothing when it is as it looks */
export function shownNameFaults(name: string): FieldErrors[string] {
  if (!hasHiddenCharacters(name)) return [];
  const message = say`Must have no characters that nobody sees, and none that turn the direction of the text around.`;
  return [{ code: 'invalid_format', message }];
}

/** Whether a name has characters that deceive who reads it. */
export function hasHiddenCharacters(name: string): boolean {
  return [...name.matchAll(hidden)].some(({ 0: character, index }) => {
    const before = [...name.slice(0, index)].at(-1) ?? '';
    const after = [...name.slice(index + character.length)][0] ?? '';
    if (joiners.has(character) && joined.test(before) && joined.test(after)) return false;
    if (character === picture_selector) return !pictograph.test(before);
    const joins_pictures = pictograph.test(after) && (pictograph.test(before) || before === picture_selector);
    return !(character === '\u200d' && joins_pictures);
  });
}
