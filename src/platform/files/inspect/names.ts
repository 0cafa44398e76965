/** File names, as clients send them: kept readable in any language, but safe to show and to save anywhere. */

/** UTF-8 bytes that file systems allow for a name, with room for what a browser adds (` (1)`). */
const longestBytes = 240;
const longestExtension = 10;

/** Controls, line separators and invisible marks, among them those that turn the direction of text around. */
const invisible = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** What file systems refuse, or shells and headers read as something else. */
const reservedCharacters = /[<>:"|?*]/g;
const reservedNames = /^(con|prn|aux|nul|conin\$|conout\$|clock\$|com[\d¹²³]|lpt[\d¹²³])(?=\.|$)/i;

/**
 * The name without folders, invisible characters, and whatever makes it special to a system.
 * @returns never empty, and at most 240 bytes in UTF-8
 */
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

/** The part behind the last dot, in lower case; empty when there is none. */
export function extensionOf(name: string): string {
  return /[^.].*\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** Cut between characters, in front of the extension. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= longestBytes) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot - 1 <= longestExtension ? name.slice(dot) : '';
  let room = longestBytes - Buffer.byteLength(extension);
  let stem = '';
  for (const { segment } of new Intl.Segmenter().segment(name.slice(0, name.length - extension.length))) {
    room -= Buffer.byteLength(segment);
    if (room < 0) break;
    stem += segment;
  }
  return stem.trimEnd() + extension;
}
