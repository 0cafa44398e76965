// Changes of one field whose verdicts are known beforehand, written down here and not read from the policy.
import type { Bump } from '../../src/model/findings.ts';
import type { Field, Group } from './model.ts';

/** What an edit makes of a group, and which version it asks for in what is accepted, and in what is emitted. */
export interface Edit {
  readonly name: string;
  readonly accept: Bump;
  readonly emit: Bump;
  /** The group after it; undefined where it changes nothing. */
  readonly apply: (group: Group, index: number) => Group | undefined;
}

/** An edit of the field at an index. */
const ofField = (
  name: string,
  accept: Bump,
  emit: Bump,
  change: (field: Field, group: Group) => Field | undefined,
): Edit => ({
  name,
  accept,
  emit,
  apply: (group, index) => {
    const changed = change(group.fields[index]!, group);
    return changed && { ...group, fields: group.fields.with(index, changed) };
  },
});

export const edits: readonly Edit[] = [
  ofField('more is allowed', 'minor', 'major', (one) => ({ ...one, limit: one.limit + 1 })),
  ofField('less is allowed', 'major', 'minor', (one) => ({ ...one, limit: one.limit - 1 })),
  ofField('null is allowed', 'minor', 'major', (one, { place }) =>
    one.nullable || place === 'query' ? undefined : { ...one, nullable: true },
  ),
  ofField('null is refused', 'major', 'minor', (one, { place }) =>
    one.nullable && place !== 'query' ? { ...one, nullable: false } : undefined,
  ),
  ofField('becomes required', 'major', 'minor', (one) => (one.required ? undefined : { ...one, required: true })),
  ofField('becomes optional', 'minor', 'major', (one) => (one.required ? { ...one, required: false } : undefined)),
  ofField('another type', 'major', 'major', (one) =>
    one.type === 'integer' || one.type === 'list'
      ? { ...one, type: one.type === 'integer' ? 'list' : 'integer' }
      : undefined,
  ),
  ofField('another spelling', 'none', 'none', (one) => ({ ...one, spelling: (one.spelling + 1) % 4 })),
  {
    name: 'removed',
    accept: 'major',
    emit: 'major',
    apply: (group, index) => ({ ...group, fields: group.fields.toSpliced(index, 1) }),
  },
  added('an optional one is added', 'minor', 'minor', false),
  added('a required one is added', 'major', 'minor', true),
];

function added(name: string, accept: Bump, emit: Bump, required: boolean): Edit {
  return {
    name,
    accept,
    emit,
    apply: (group, index) => {
      const one = { ...group.fields[index]!, name: `${group.fields[index]!.name}_xx_new`, required };
      return { ...group, fields: [...group.fields, one] };
    },
  };
}
