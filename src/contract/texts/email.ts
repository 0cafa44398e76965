/** Normalizes and validates email addresses. */
import { domainToASCII } from 'node:url';
import { codeOf, trimInvisible } from './one-line.ts';

/** Invisible characters except the space. */
const invisible = /(?! )[\p{White_Space}\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The characters of an internationalized domain; `domainToASCII` would truncate it at a slash. */
const international = /^(?=.*[^\0-\x7f])[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61]+$/u;

const plain = /^[!-~]*$/;

/** Longer domains aren't converted. */
const maxDomain = 1_024;

/** Trims invisible characters, and converts the domain to ASCII (IDNA, UTS 46): `ana@münchen.example` in its xn-- form. */
export function emailForm(text: string): string {
  if (plain.test(text)) return text;
  const address = trimInvisible(text);
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 1 || domain.length > maxDomain || invisible.test(domain) || !international.test(domain)) return address;
  const ascii = domainToASCII(domain);
  // A numeric name would become an IP address.
  return ascii === '' || /(^|\.)\d+$/.test(ascii) ? address : `${address.slice(0, at + 1)}${ascii}`;
}

const part = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const email = new RegExp(`^(?=[^@]{1,64}@)${part}(?:\\.${part})*@(?:${label}\\.)+${label}$`, 'i');

/** At most 64 characters before the `@`, and 63 in each label after it (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4). */
export function isEmail(text: string): boolean {
  return email.test(text);
}

/** @returns the first invisible character, for example `U+00AD` */
export function invisibleCharacter(text: string): string | undefined {
  return codeOf(invisible.exec(text)?.[0]);
}
