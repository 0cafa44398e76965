// Defaults: in requests, the meaning of an omitted value; elsewhere, hints for generators.

import { equal } from '../../model/json.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import { type Comparison, Pair } from '../comparison.ts';

/** Compares the defaults of two schemas. @param always whether the value is always present, so that the default never applies */
export function compareDefault(
  comparison: Comparison,
  pair: Pair,
  a: SchemaLocation,
  b: SchemaLocation,
  always: boolean,
): void {
  const [before, after] = [resolveSchema(a), resolveSchema(b)];
  if ((!before.hasDefault && !after.hasDefault) || (before.hasDefault === after.hasDefault && same(before, after)))
    return;
  const used = pair.traffic.direction === 'accept' && !always;
  const here = new Pair(pair.base?.resolveRefs(), pair.revised?.resolveRefs(), pair.traffic, pair.where, pair.parent);
  comparison.report(used ? 'default-changed' : 'default-hint-changed', here, `the default ${changeOf(before, after)}`, {
    key: 'default',
    before: before.default,
    after: after.default,
  });
}

const same = (before: NormalSchema, after: NormalSchema): boolean => equal(before.default, after.default);

function changeOf(before: NormalSchema, after: NormalSchema): string {
  if (!before.hasDefault) return `was added: ${JSON.stringify(after.default)}`;
  if (!after.hasDefault) return `was removed: ${JSON.stringify(before.default)}`;
  return `changed from ${JSON.stringify(before.default)} to ${JSON.stringify(after.default)}`;
}
