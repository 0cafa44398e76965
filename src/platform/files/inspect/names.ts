/** Sanitizes file names from clients: keeps them readable in any language, but safe to display and save anywhere. */

/** File systems allow 255 bytes of UTF-8; leaves room for a suffix that browsers add (` (1)`). */
const maxBytes = 240;
const maxExtension = 10;

/** Controls, line separators, and invisible characters, including those that reverse the text direction. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Characters that file systems refuse, or that shells and headers interpret. */
const reservedCharacters = /[<>:"|?*]/g;
const reservedNames = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;

/** Removes folders, invisible characters, and everything special to an operating system. @returns 1 to 240 bytes of UTF-8 */
export function safeName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = last
    .replace(invisible, '')
    .replace(reservedCharacters, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  const usable = reservedNames.test(plain) ? `_${plain}` : plain;
  return shortened(usable) || 'file';
}

/** The part after the last dot, in lower case; empty if there is none. */
export function extensionOf(name: string): string {
  return /[^.].*\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Truncates at a grapheme boundary, before the extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= maxBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot - 1 <= maxExtension ? name.slice(dot) : '';
  let remainingBytes = maxBytes - Buffer.byteLength(extension);
  let stem = '';
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))) {
    remainingBytes -= Buffer.byteLength(segment);
    if (remainingBytes < 0) break;
    stem += segment;
  }
  return stem.trimEnd() + extension;
}
