/**
 * Words that people chose, such as names, as a mail may show them: a mail program makes a link of whatever looks like an
 * address, and the mail comes from us. With a space in it, it does not look like one any more, and still can be read.
 */

/** Between a name and the end of a domain, in all forms that domains may have (UTS 46). */
const dot = /(?<=[\p{L}\p{N}\p{M}_-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}-]*\p{L})/gu;
const scheme = /:(?=\/\/)|:(?=\\\\)/g;
const at = /\s*[@\uff20]\s*/g;
/** Written before the number of a telephone, or an address of mail. */
const otherSchemes = /\b(mailto|tel|sms|data|javascript):(?=\S)/gi;

export function harmlessWords(words: string): string {
  return words.replace(scheme, ': ').replace(otherSchemes, '$1: ').replace(dot, '. ').replace(at, ' @ ');
}
