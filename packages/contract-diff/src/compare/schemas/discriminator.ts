// Discriminators: the property whose value selects the schema.

import { isObject } from '../../model/json.ts';
import type { RuleId } from '../../policy/rules.ts';
import { type NormalSchema, resolveSchema, type SchemaLocation } from '../../schema/index.ts';
import type { Comparison } from '../comparison.ts';
import type { SchemaPair } from './schema-pair.ts';

/**
 * Compares the discriminators, which clients use to select a schema.
 * @param reportedRefs references to alternatives that were reported as added or removed
 * @returns the number of reported changes
 */
export function compareDiscriminator(
  comparison: Comparison,
  { pair, before, after }: SchemaPair,
  reportedRefs: ReadonlySet<unknown> = new Set(),
): number {
  const [old, now] = [before.discriminator, after.discriminator];
  if (!old && !now) return 0;
  const report = (text: string, rule: RuleId = 'discriminator-changed') => {
    comparison.report(rule, pair, text, { key: 'discriminator' });
    return 1;
  };
  if (!old || !now) {
    const done = old ? 'the discriminator was removed' : 'a discriminator was added';
    // The discriminator matters only if the alternatives of the other side do not imply it.
    const unconstrained = old ? unconstrainedAlternative(before, after) : unconstrainedAlternative(after, before);
    if (unconstrained === undefined)
      return report(`${done}; the alternatives say the same`, 'discriminator-hint-changed');
    return report(unconstrained === '' ? done : `${done}, and ${unconstrained} doesn't require the value that it maps`);
  }
  if (old.propertyName !== now.propertyName)
    return report(`the discriminator changed from \`${old.propertyName}\` to \`${now.propertyName}\``);
  let count = 0;
  const [targets, targetsNow] = [targetsOf(before), targetsOf(after)];
  const removed: string[] = [];
  const added: string[] = [];
  for (const value of new Set([...targets.keys(), ...targetsNow.keys()])) {
    const [from, to] = [targets.get(value), targetsNow.get(value)];
    if (from !== undefined && to !== undefined) {
      if (!sameTarget(comparison, from, to))
        count += report(`the discriminator's value \`${value}\` means another schema`);
      continue;
    }
    // An added or removed alternative was reported already, with its value.
    if (!reportedRefs.has(from ?? to)) (to === undefined ? removed : added).push(value);
  }
  const found = (rule: RuleId, values: string[], done: string) => {
    if (values.length === 0) return;
    const formatted = values.map((value) => `\`${value}\``).join(', ');
    report(
      values.length === 1
        ? `the discriminator's value ${formatted} was ${done}`
        : `the discriminator's values ${formatted} were ${done}`,
      rule,
    );
    count += values.length;
  };
  found('discriminator-value-removed', removed, 'removed');
  found('discriminator-value-added', added, 'added');
  return count;
}

const referenceTo = (target: string): string => (/[#/]/.test(target) ? target : `#/components/schemas/${target}`);

const alternativesOf = ({ oneOf, anyOf }: NormalSchema): readonly SchemaLocation[] => oneOf ?? anyOf ?? [];

/** Reference to the component of an alternative. */
export const referenceOf = ({ schema }: SchemaLocation): unknown => (isObject(schema) ? schema.$ref : undefined);

function valuesOf(location: SchemaLocation, name: string): readonly unknown[] {
  const property = resolveSchema(location).properties.get(name);
  return (property && resolveSchema(property).enum) ?? [];
}

/**
 * Target reference of each value; without a mapping, component names are values.
 * @param everyName whether the name counts even if the component lists other values
 */
function targetsOf(schema: NormalSchema, everyName = false): ReadonlyMap<string, string> {
  const { propertyName } = schema.discriminator!;
  const named = alternativesOf(schema).flatMap((location): [string, string][] => {
    const reference = referenceOf(location);
    if (typeof reference !== 'string' || (!everyName && valuesOf(location, propertyName).length > 0)) return [];
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    // A name with a colon was generated when documents were composed, so it is no value.
    return name.includes(':') ? [] : [[name, reference]];
  });
  const mapped = [...(schema.discriminator?.mapping ?? [])].map(
    ([value, target]) => [value, referenceTo(target)] as const,
  );
  return new Map([...named, ...mapped]);
}

/**
 * An alternative of `schema` that does not itself require a value mapped to it by the discriminator of `discriminated`.
 * @returns its name; an empty string if there are no alternatives; undefined if all of them do
 */
function unconstrainedAlternative(discriminated: NormalSchema, schema: NormalSchema): string | undefined {
  const { propertyName } = discriminated.discriminator!;
  const alternatives = alternativesOf(schema);
  if (alternatives.length === 0) return '';
  const targets = [...targetsOf(discriminated, true)];
  const unconstrained = alternatives.find((location) => {
    const values = valuesOf(location, propertyName);
    const mapped = targets.filter(([, target]) => target === referenceOf(location)).map(([value]) => value);
    const requiresMapped = values.length > 0 && values.every((value) => mapped.includes(String(value)));
    return !requiresMapped || !resolveSchema(location).required.has(propertyName);
  });
  return unconstrained && (resolveSchema(unconstrained).refName ?? 'an alternative');
}

/** A component may be renamed; its content matters. */
function sameTarget(comparison: Comparison, from: string, to: string): boolean {
  if (from === to) return true;
  const location = (document: typeof comparison.base, $ref: string): SchemaLocation => ({ document, schema: { $ref } });
  return comparison.sameness.alike(location(comparison.base, from), location(comparison.revised, to));
}
