/** Parses amounts as people write them. Returns both readings of a single separator (`68.400`): the whole column decides. */

/** The decimal separator. */
export type DecimalSign = 'comma' | 'point';
export const decimalSigns: readonly DecimalSign[] = ['comma', 'point'];

type NumberReading =
  /** An unambiguous number. `decimal` is set if the text shows its decimal separator. */
  | { kind: 'number'; value: number; decimal?: DecimalSign; currency?: string }
  /** One separator before three digits: the number for either decimal separator. */
  | { kind: 'ambiguous'; comma: number; point: number; currency?: string }
  | { kind: 'none' };

const maxText = 60;
const none: NumberReading = { kind: 'none' };

export function readNumber(text: string): NumberReading {
  if (text.length > maxText) return none;
  const { bare, currency } = withoutCurrency(text.normalize('NFKC').trim());
  const reading = parsed(bare);
  return reading.kind === 'none' || currency === undefined ? reading : { ...reading, currency };
}

/** Currency symbols, and ISO 4217 codes in capitals. Other letters may mean thousands or millions: 47K€, 47 MIL, 5 MM$. */
const codes = Intl.supportedValuesOf('currency').join('|');
const dollars = String.raw`(?:US|AU|CA|NZ|HK|SG|MX|AR|CL|COL?|UY|RD|NT|TT|BR|[ABCJRSU])?\$`;
const sign = String.raw`(?:${dollars}|\p{Sc}|${codes}|Kč|kr\.?|zł|Ft|lei|Fr\.?|RM|Rp\.?)`;
const before = new RegExp(`^(${sign})\\s*(?=[+-]?\\d)`, 'u');
const trailingSign = new RegExp(`(?<=\\d|,-|,--)\\s*(${sign})$`, 'u');

/** Also on both sides: `$68,400.00 USD`. */
function withoutCurrency(text: string): { bare: string; currency?: string } {
  const [first = '', front] = before.exec(text) ?? [];
  const rest = text.slice(first.length);
  const [last = '', end] = trailingSign.exec(rest) ?? [];
  const currency = end ?? front;
  const bare = rest.slice(0, rest.length - last.length).trim();
  return currency === undefined ? { bare } : { bare, currency };
}

function parsed(text: string): NumberReading {
  const bare = text.replace(/,--?$/, ''); // a round amount: 54.000,-
  if (/^[+-]?\d+$/.test(bare)) return { kind: 'number', value: Number(bare) };
  const [, single, sign, decimals] = /^([+-]?\d+)([.,])(\d+)$/.exec(bare) ?? [];
  if (single !== undefined) return withSingleSeparator(single, sign!, decimals!, bare !== text);
  if (ofIndia.test(bare)) return { kind: 'number', value: Number(bare.replaceAll(',', '')), decimal: 'point' };
  const [, integer, thousands, point, cents = ''] = grouped.exec(bare) ?? [];
  if (integer === undefined) return none;
  const decimal = point ? decimalOf(point) : thousands === '.' ? 'comma' : thousands === ',' ? 'point' : undefined;
  const value = Number(`${integer.replace(/[^\d+-]/g, '')}.${cents || 0}`);
  return { kind: 'number', value, ...(decimal && { decimal }) };
}

/** Different separators for thousands and decimals, several groups of thousands, or spaces between thousands. */
const grouped = /^(?=.*[.,].*[.,]|.*[\s'’])([+-]?\d{1,3}(?:([.,\s'’])\d{3})(?:\2\d{3})*)(?:(?!\2)([.,])(\d+))?$/;
/** Indian grouping: 6,84,000.00. */
const ofIndia = /^[+-]?\d{1,2}(?:,\d\d)+,\d{3}(?:\.\d+)?$/;

/** @param isRound whether no decimals can follow, so that the separator is for thousands */
function withSingleSeparator(integer: string, sign: string, digits: string, isRound: boolean): NumberReading {
  const decimal = decimalOf(sign);
  const fraction = Number(`${integer}.${digits}`);
  const isGroup = digits.length === 3 && /^[+-]?[1-9]\d{0,2}$/.test(integer);
  if (!isGroup) return isRound ? none : { kind: 'number', value: fraction, decimal };
  const whole = Number(integer + digits);
  if (isRound) return { kind: 'number', value: whole, decimal: 'comma' };
  return { kind: 'ambiguous', comma: sign === ',' ? fraction : whole, point: sign === '.' ? fraction : whole };
}

function decimalOf(sign: string): DecimalSign {
  return sign === ',' ? 'comma' : 'point';
}
