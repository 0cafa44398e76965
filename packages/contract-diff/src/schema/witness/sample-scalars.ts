// Sample strings and numbers: at the limits, from patterns and formats, and ordinary ones.

import { formatSamples, hasFormat } from '../formats.ts';
import { compilePattern } from '../location.ts';
import { isMultiple } from '../numbers.ts';
import { someStrings } from '../patterns.ts';
import { textOfStrings } from '../subset/rules-scalars.ts';
import type { NormalSchema } from '../types.ts';
import { hasType, typeOf } from '../values.ts';

/** Maximum length of a sample string, unless it must be longer. */
const maxSampleLength = 300;
/** Absolute maximum, because people read it. */
const maxTextLength = 20_000;

export function sampleStrings(schema: NormalSchema): string[] {
  const text = textOfStrings(schema);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = text;
  const strings: string[] = [];
  if (schema.patterns.length > 0) {
    const longer = { ...text, minLength: Math.min(minLength + 1, maxLength) };
    strings.push(...someStrings(text, 6), ...someStrings(longer, 3));
    if (maxLength <= maxSampleLength) strings.push(...someStrings({ ...text, minLength: maxLength }, 2));
  }
  if (schema.format) strings.push(...formatSamples(schema.format).filter((value) => typeof value === 'string'));
  const lengths = [minLength, minLength + 1, Math.max(minLength, 8), maxLength].filter(
    (one) => one <= Math.max(maxSampleLength, minLength) && one <= maxTextLength,
  );
  strings.push(...typicalStrings, ...lengths.map((length) => 'a'.repeat(length)));
  return [...new Set(strings)].filter((value) => {
    const length = [...value].length;
    if (length < minLength || length > maxLength || !hasFormat(value, schema.format)) return false;
    return schema.patterns.every((pattern) => compilePattern(pattern)?.test(value) ?? false);
  });
}

const typicalStrings = ['a', 'A', '0', 'abc', 'a b', 'ä', '', ' ', '1', 'true', 'a-b_c.d', 'A1'];

export function sampleNumbers(schema: NormalSchema): number[] {
  const { minimum, maximum, multipleOf } = schema;
  const step = multipleOf ?? (schema.types.has('number') ? 0.5 : 1);
  const near = [minimum?.value, maximum?.value].flatMap((end) => {
    if (end === undefined) return [];
    const nearest = Math.round(end / step) * step;
    return [
      end,
      end - 1,
      end + 1,
      end - step,
      end + step,
      end - 1e-3,
      end + 1e-3,
      nearest,
      nearest - step,
      nearest + step,
    ];
  });
  const middle = minimum && maximum ? [(minimum.value + maximum.value) / 2] : [];
  const candidates = [...near, ...middle, ...formatNumbers(schema), step, -step, 3 * step, ...typicalNumbers];
  return [...new Set(candidates.map((value) => Number(value.toPrecision(15))))].filter((value) => {
    if (!Number.isFinite(value) || !hasType(schema.types, typeOf(value))) return false;
    if (minimum && (value < minimum.value || (minimum.exclusive && value === minimum.value))) return false;
    if (maximum && (value > maximum.value || (maximum.exclusive && value === maximum.value))) return false;
    if (!hasFormat(value, schema.format)) return false;
    return multipleOf === undefined || isMultiple(value, multipleOf);
  });
}

const typicalNumbers = [0, 1, -1, 2, 10, 100, 0.5, -0.5, 1.25, 1e6, 3_000_000_000, -3_000_000_000];

function formatNumbers(schema: NormalSchema): number[] {
  return schema.format ? formatSamples(schema.format).filter((value) => typeof value === 'number') : [];
}
