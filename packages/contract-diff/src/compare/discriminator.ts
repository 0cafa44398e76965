// Discriminators: which value of a property means which schema.

import type { RuleId } from '../policy/rules.ts';
import type { SchemaPlace } from '../schema/index.ts';
import type { Comparison } from './comparison.ts';
import type { SchemaPair } from './schema-pair.ts';

/** `discriminator` tells a client which schema to read a value by. @returns how many changes were reported */
export function compareDiscriminator(comparison: Comparison, { pair, before, after }: SchemaPair): number {
  const [old, now] = [before.discriminator, after.discriminator];
  if (!old && !now) return 0;
  const report = (text: string) => {
    comparison.report('discriminator-changed', pair, text, { key: 'discriminator' });
    return 1;
  };
  if (!old || !now) return report(old ? 'the discriminator was removed' : 'a discriminator was added');
  if (old.propertyName !== now.propertyName)
    return report(`the discriminator changed from \`${old.propertyName}\` to \`${now.propertyName}\``);
  let count = 0;
  const gone: string[] = [];
  const come: string[] = [];
  for (const value of new Set([...old.mapping.keys(), ...now.mapping.keys()])) {
    const [from, to] = [old.mapping.get(value), now.mapping.get(value)];
    if (from !== undefined && to !== undefined) {
      if (!sameTarget(comparison, from, to))
        count += report(`the discriminator's value \`${value}\` means another schema`);
      continue;
    }
    (to === undefined ? gone : come).push(value);
  }
  const found = (rule: RuleId, values: string[], done: string) => {
    if (values.length === 0) return;
    const called = values.map((value) => `\`${value}\``).join(', ');
    const text =
      values.length === 1
        ? `the discriminator's value ${called} was ${done}`
        : `the discriminator's values ${called} were ${done}`;
    comparison.report(rule, pair, text, { key: 'discriminator' });
    count += values.length;
  };
  found('discriminator-value-removed', gone, 'removed');
  found('discriminator-value-added', come, 'added');
  return count;
}

/** Components may be named anew; what counts is what they hold. */
function sameTarget(comparison: Comparison, from: string, to: string): boolean {
  const reference = (target: string) => (/[#/]/.test(target) ? target : `#/components/schemas/${target}`);
  if (reference(from) === reference(to)) return true;
  const place = (document: typeof comparison.base, target: string): SchemaPlace => ({
    document,
    schema: { $ref: reference(target) },
  });
  return comparison.sameness.alike(place(comparison.base, from), place(comparison.revised, to));
}
