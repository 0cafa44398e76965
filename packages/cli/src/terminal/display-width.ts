import { eastAsianWidth } from 'get-east-asian-width';

const ascii = /^[ -~]*$/;
const characters = new Intl.Segmenter();
const invisible = /^[\p{Default_Ignorable_Code_Point}\p{M}]+$/u;
const emoji = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u;

/** The cells of a terminal that a text takes: two for a wide character or an emoji, none for combining ones. */
export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters.segment(text)) {
    if (emoji.test(segment)) width += 2;
    else if (!invisible.test(segment)) width += eastAsianWidth(segment.codePointAt(0)!);
  }
  return width;
}
