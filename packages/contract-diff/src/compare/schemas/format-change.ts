// Formats: which of two is stricter, and which are only hints for generators.

import { formatImplies, isFormatEnforced, isWithinFormat } from '../../schema/formats.ts';
import type { NormalSchema } from '../../schema/index.ts';
import type { Comparison } from '../comparison.ts';
import { probeOf, type SchemaPair, verdicts } from './schema-pair.ts';

type FormatRule = 'format-changed' | 'format-tightened' | 'format-loosened' | 'format-hint-changed';

/** Compares the formats. @returns the number of reported changes */
export function compareFormat(comparison: Comparison, schemas: SchemaPair): number {
  const { pair, before, after } = schemas;
  if (before.format === after.format) return 0;
  // Reported as a changed encoding.
  if (pair.base?.get('contentEncoding') !== pair.revised?.get('contentEncoding')) return 1;
  // For example, int32 adds nothing within narrow bounds.
  const { forward, backward } = verdicts(comparison, pair, schemas.a, schemas.b);
  const rule = forward.answer === 'yes' && backward.answer === 'yes' ? 'format-hint-changed' : ruleOf(before, after);
  const text = `the format changed from ${before.format ?? 'none'} to ${after.format ?? 'none'}`;
  comparison.report(rule, pair, text, {
    key: 'format',
    before: before.format,
    after: after.format,
    probe: probeOf(comparison, schemas),
  });
  return 1;
}

function ruleOf(before: NormalSchema, after: NormalSchema): FormatRule {
  const [old, now] = [before.format, after.format];
  const type = isNumeric(before) && isNumeric(after) ? 'number' : 'string';
  const isEnforced = (format: string | undefined, { types }: NormalSchema) =>
    format !== undefined &&
    isFormatEnforced(format, types.has('number') ? 'number' : type === 'number' ? 'integer' : 'string');
  // Different names mean different semantics, even if validators don't know them.
  if (type === 'string' && old !== undefined && now !== undefined) {
    if (isWithinFormat(old, now)) return 'format-loosened';
    return isWithinFormat(now, old) ? 'format-tightened' : 'format-changed';
  }
  // An added or removed format unknown to validators may be a hint.
  if (!isEnforced(old, before) && !isEnforced(now, after)) return 'format-hint-changed';
  const forward = now === undefined || !isEnforced(now, after) || formatImplies(old, now, type);
  return forward ? 'format-loosened' : 'format-tightened';
}

const isNumeric = ({ types }: NormalSchema): boolean =>
  [...types].every((type) => type === 'number' || type === 'integer' || type === 'null');
