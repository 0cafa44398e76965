/**
 * The media ranges of `Accept` (RFC 9110, section 12.5.1) without the descriptive parameters that clients add, but with weights.
 */
export function withoutParameters(accept: string): string {
  return accept
    .replaceAll(/"(?:[^"\\]|\\.)*"/g, '""') // commas and semicolons in quotes don't separate
    .split(',')
    .map((range) => {
      const [type, ...parameters] = range.split(';');
      const weight = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter));
      return weight ? `${type};${weight}` : type;
    })
    .join(',');
}
