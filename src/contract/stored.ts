/**
 * Upgrades stored JSON to the current contract schema. A property added since then gets its `default`, or null, so every added
 * property needs one of the two (docs/operations/upgrade.md).
 */
import type { components } from '../../generated/api.ts';
import { contract, type Schema } from './contract.ts';

/** Event payloads aren't included, because they stay as sent, nor are details of audit entries. */
export const storedSchemas = [
  'ImportColumn',
  'ImportWarning',
  'ImportQuestion',
  'ImportEncodingGuess',
  'HistoryChange',
] as const;

type StoredSchema = (typeof storedSchemas)[number];

/** @param value a database column, or an item of one */
export function upgradeStored<N extends StoredSchema>(name: N, value: unknown): components['schemas'][N] {
  return completed(contract.components.schemas[name]!, value) as components['schemas'][N];
}

/** The same for a list. */
export function listFromStored<N extends StoredSchema>(name: N, values: unknown): components['schemas'][N][] {
  return (values as unknown[]).map((value) => upgradeStored(name, value));
}

/** The value of a property that wasn't stored; undefined if it is mandatory. */
export function missingValue(schema: Schema): unknown {
  const { default: preset, type, anyOf } = resolved(schema);
  if (preset !== undefined) return structuredClone(preset);
  const isNullable =
    [type].flat().includes('null') || (anyOf as Schema[] | undefined)?.some((each) => each.type === 'null');
  return isNullable ? null : undefined;
}

export function completed(schema: Schema, value: unknown): unknown {
  const { properties, items, required } = resolved(schema);
  if (Array.isArray(value)) return items ? value.map((item) => completed(items, item)) : value;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const complete: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    if (complete[name] !== undefined) complete[name] = completed(property, complete[name]);
    else if ((required as string[] | undefined)?.includes(name)) complete[name] = missingValue(property);
  }
  return complete;
}

function resolved(schema: Schema): Schema {
  return schema.$ref ? resolved(contract.components.schemas[schema.$ref.split('/').at(-1)!]!) : schema;
}
