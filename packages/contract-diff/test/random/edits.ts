// Field edits with known verdicts, which are stated here instead of read from the policy.
import type { Bump, Scope } from '../../src/model/findings.ts';
import { existedBefore, type Field, type Group, isAccepted, type Model } from './model.ts';

interface Edited {
  readonly model: Model;
  /** The place that the edit changes: a sequence has at most one edit per place. */
  readonly place: string;
  readonly scope: Scope;
  /** The required bump; effects on security and named lists are derived from the two models instead. */
  readonly requiredBump: Bump;
}

export interface Edit {
  readonly name: string;
  /**
   * @param at numbers that select what to change, modulo the number of choices
   * @returns undefined if it changes nothing
   */
  readonly apply: (model: Model, at: readonly [number, number]) => Edited | undefined;
}

/** Picks an element by number, modulo the number of elements. */
export const pick = <T>(some: readonly T[], at: number): T | undefined => some[at % Math.max(1, some.length)];

/** An edit of a field: the required bump when accepted and when emitted, and the resulting fields. */
function groupEdit(
  name: string,
  accept: Bump,
  emit: Bump,
  change: (field: Field, group: Group) => readonly Field[] | undefined,
): Edit {
  return {
    name,
    apply: (model, [first, second]) => {
      const group = pick(model.groups.filter(existedBefore), first);
      const field = group && pick(group.fields, second);
      const changed = field && change(field, group);
      if (changed === undefined) return undefined;
      const fields = group!.fields.flatMap((one) => (one === field ? changed : [one]));
      return {
        model: { ...model, groups: model.groups.map((one) => (one === group ? { ...one, fields } : one)) },
        place: `${group!.place}${group!.owner} ${field!.name.replace(newName, '')}`,
        scope: group!.place === 'webhook' ? 'webhook_payload' : 'interface',
        requiredBump: isAccepted(group!) ? accept : emit,
      };
    },
  };
}

/** The same, for edits that retain the field. */
const fieldEdit = (
  name: string,
  accept: Bump,
  emit: Bump,
  change: (field: Field, group: Group) => Field | undefined,
): Edit =>
  groupEdit(name, accept, emit, (field, group) => {
    const changed = change(field, group);
    return changed && [changed];
  });

/** Suffix for the name of an added field. */
const newName = '_xx_new';
const added = (name: string, accept: Bump, emit: Bump, required: boolean): Edit =>
  groupEdit(name, accept, emit, (one) => [one, { ...one, name: `${one.name}${newName}`, required }]);
const canBeNull = ({ place }: Group) => place !== 'query';

export const fieldEdits: readonly Edit[] = [
  fieldEdit('a limit is loosened', 'minor', 'major', (one) =>
    one.type === 'named' ? undefined : { ...one, limit: one.limit + 1 },
  ),
  fieldEdit('a limit is tightened', 'major', 'minor', (one) =>
    one.type === 'named' ? undefined : { ...one, limit: one.limit - 1 },
  ),
  fieldEdit('null is allowed', 'minor', 'major', (one, group) =>
    one.nullable || !canBeNull(group) ? undefined : { ...one, nullable: true },
  ),
  fieldEdit('null is rejected', 'major', 'minor', (one, group) =>
    one.nullable && canBeNull(group) ? { ...one, nullable: false } : undefined,
  ),
  fieldEdit('a field becomes required', 'major', 'minor', (one) =>
    one.required ? undefined : { ...one, required: true },
  ),
  fieldEdit('a field becomes optional', 'minor', 'major', (one) =>
    one.required ? { ...one, required: false } : undefined,
  ),
  fieldEdit('the type changes', 'major', 'major', (one) =>
    one.type === 'integer' || one.type === 'list'
      ? { ...one, type: one.type === 'integer' ? 'list' : 'integer' }
      : undefined,
  ),
  fieldEdit('the spelling changes', 'none', 'none', (one) => ({ ...one, spelling: (one.spelling + 1) % 4 })),
  groupEdit('a field is removed', 'major', 'major', () => []),
  added('an optional field is added', 'minor', 'minor', false),
  added('a required field is added', 'major', 'minor', true),
];
