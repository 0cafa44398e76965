/** Defuses user-chosen text in mails with an added space: mail programs turn anything like an address into a link. */

/** Between a name and the end of a domain, in all forms that domains may have (UTS 46). */
const dot = /(?<=[\p{L}\p{N}\p{M}_-])[.\u3002\uff0e\uff61](?=[\p{L}\p{N}-]*\p{L})/gu;
const scheme = /:(?=\/\/)|:(?=\\\\)/g;
const at = /\s*[@\uff20]\s*/g;
/** Prefixes of phone numbers or email addresses. */
const otherSchemes = /\b(mailto|tel|sms|data|javascript):(?=\S)/gi;

export function defuseLinks(text: string): string {
  return text.replace(scheme, ': ').replace(otherSchemes, '$1: ').replace(dot, '. ').replace(at, ' @ ');
}
