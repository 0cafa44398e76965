/**
 * The media ranges of `Accept` (RFC 9110, section 12.5.1) with no parameter but their weight. Clients write `charset=utf-8` or
 * `version=1` beside a type to describe it, and accept the type as it is.
 */
export function withoutParameters(accept: string): string {
  return accept
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""') // a comma or a semicolon in it separates nothing
    .split(',')
    .map((range) => {
      const [type, ...parameters] = range.split(';');
      const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
      return weight ? `${type};${weight}` : type;
    })
    .join(',');
}
