/** Detects the encoding of XML (XML 1.0, appendix F): by its byte order mark, first bytes, or declaration. */

/** @param head its first bytes @returns a name for TextDecoder, which may not support it */
export function xmlEncoding(head: Buffer): string {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8';
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === lessThan && head[1] === 0)) return 'utf-16le';
  if ((head[0] === 0xfe && head[1] === 0xff) || (head[0] === 0 && head[1] === lessThan)) return 'utf-16be';
  const declared = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head.toString('latin1'))?.[1];
  // The declaration was read as single bytes, so it can't be UTF-16, which some programs declare for UTF-8.
  return declared === undefined || /^(utf|ucs|iso-10646)/i.test(declared) ? 'utf-8' : declared;
}

const lessThan = 0x3c;
