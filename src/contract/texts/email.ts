/** Email addresses: the form in which they are stored and compared, and which ones there can be. */
import { domainToASCII } from 'node:url';
import { codeOf, withoutUnseenEnds } from './one-line.ts';

/** Everything unseen but the space, which people know about. */
const invisible = /(?! )[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What an internationalized domain is made of; `domainToASCII` would cut it at a slash. */
const international = /^(?=.*[^\0-\x7f])[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u;

const plain = /^[!-~]*$/;

/** Longer than any address: nothing beyond it is converted. */
const longestDomain = 1_024;

/** Without unseen characters at its ends, and with the domain in ASCII (IDNA, UTS 46): `ana@münchen.example` in its xn-- form. */
export function emailForm(text: string): string {
  if (plain.test(text)) return text;
  const address = withoutUnseenEnds(text);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 1 || domain.length > longestDomain || invisible.test(domain) || !international.test(domain)) return address;
  const ascii = domainToASCII(domain);
  // A name in digits becomes the address of a machine.
  return ascii === '' || /(^|\.)\d+$/.test(ascii) ? address : `${address.slice(0, at + 1)}${ascii}`;
}

const part = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const email = new RegExp(`^(?=[^@]{1,64}@)${part}(?:\\.${part})*@(?:${label}\\.)+${label}$`, 'i');

/** An address as the contract has it: at most 64 characters before the `@`, and 63 in each label behind it (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). */
export function isEmail(text: string): boolean {
  return email.test(text);
}

/** @returns the first character of an address that people do not see, as in `U+00AD` */
export function invisibleCharacter(text: string): string | undefined {
  return codeOf(invisible.exec(text)?.[0]);
}
