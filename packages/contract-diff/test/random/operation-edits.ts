// Edits of operations, responses, security, and named lists, with known verdicts.
import type { Bump, Scope } from '../../src/model/findings.ts';
import { type Edit, pick } from './edits.ts';
import {
  type Alternative,
  credentials,
  errorStatuses,
  existedBefore,
  firstAdded,
  type Model,
  type Operation,
  successStatuses,
} from './model.ts';

const scopeOf = ({ isWebhook }: Operation): Scope => (isWebhook ? 'webhook_payload' : 'interface');

/**
 * An edit of an operation: the required bump for an operation and for a webhook, and the resulting operations.
 * @param part the edited part; a sequence may edit other parts of the same operation
 */
function operationEdit(
  name: string,
  part: string,
  [operationBump, webhookBump]: readonly [Bump, Bump],
  change: (operation: Operation, second: number) => Operation | undefined,
): Edit {
  return {
    name,
    apply: (model, [first, second]) => {
      const operation = pick(model.operations.filter(existedBefore), first);
      const changed = operation && change(operation, second);
      return changed === undefined
        ? undefined
        : {
            model: { ...model, operations: model.operations.map((one) => (one === operation ? changed : one)) },
            place: `${operation!.isWebhook ? 'webhook' : 'operation'} ${operation!.owner} ${part}`,
            scope: scopeOf(operation!),
            requiredBump: operation!.isWebhook ? webhookBump : operationBump,
          };
    },
  };
}

/** Removes an operation with its fields, or adds a copy of one. */
const existence: readonly Edit[] = [
  {
    name: 'an operation is removed',
    apply: (model, [first]) => {
      const removed = pick(model.operations.filter(existedBefore), first);
      return removed === undefined
        ? undefined
        : {
            model: {
              ...model,
              operations: model.operations.filter((one) => one !== removed),
              groups: model.groups.filter((group) => !belongsTo(group, removed)),
            },
            place: `${removed.isWebhook ? 'webhook' : 'operation'} ${removed.owner}`,
            scope: scopeOf(removed),
            requiredBump: 'major',
          };
    },
  },
  {
    name: 'an operation is added',
    apply: (model, [first]) => {
      const template = pick(model.operations.filter(existedBefore), first);
      if (template === undefined) return undefined;
      const owner = 1 + Math.max(firstAdded, ...model.operations.map((one) => one.owner));
      const id = template.operationId && { operationId: `${template.operationId}x${owner}` };
      return {
        model: {
          ...model,
          operations: [...model.operations, { ...template, ...id, owner, name: `news${owner}` }],
          groups: [
            ...model.groups,
            ...model.groups.filter((group) => belongsTo(group, template)).map((group) => ({ ...group, owner })),
          ],
        },
        place: `operation ${owner}`,
        scope: scopeOf(template),
        requiredBump: 'minor',
      };
    },
  },
];

const belongsTo = (group: Model['groups'][number], { owner, isWebhook }: Operation): boolean =>
  group.owner === owner && (group.place === 'webhook') === isWebhook;

const identity: readonly Edit[] = [
  operationEdit('an operation moves', 'name', ['major', 'major'], (one) => ({ ...one, name: `${one.name}/elsewhere` })),
  operationEdit('an operationId changes', 'id', ['major', 'major'], (one) =>
    one.operationId === undefined ? undefined : { ...one, operationId: `other${one.operationId}` },
  ),
  operationEdit('an operationId is removed', 'id', ['major', 'major'], (one) =>
    one.operationId === undefined ? undefined : { ...one, operationId: undefined },
  ),
  operationEdit('an operationId is added', 'id', ['minor', 'minor'], (one) =>
    one.operationId === undefined && !one.isWebhook ? { ...one, operationId: `new${one.owner}` } : undefined,
  ),
  operationEdit('an operation is deprecated', 'deprecated', ['minor', 'minor'], (one) =>
    one.deprecated ? undefined : { ...one, deprecated: true },
  ),
  operationEdit('an operation is no longer deprecated', 'deprecated', ['minor', 'minor'], (one) =>
    one.deprecated ? { ...one, deprecated: false } : undefined,
  ),
];

/** Edits statuses, at most once per operation: two edits in the same class would look like a rename. */
const statusEdit = (
  name: string,
  bumps: readonly [emitted: Bump, accepted: Bump],
  change: (statuses: readonly string[], second: number) => readonly string[] | undefined,
): Edit =>
  operationEdit(name, 'statuses', bumps, (one, second) => {
    const statuses = change(one.statuses, second);
    return statuses && { ...one, statuses };
  });

const without = (some: readonly string[], one: string) => some.filter((other) => other !== one);
const absent = (all: readonly string[], some: readonly string[]) => all.filter((one) => !some.includes(one));
const exact = (some: readonly string[]) => some.filter((status) => /^[45]\d\d$/.test(status));

const statuses: readonly Edit[] = [
  statusEdit('an error status is added', ['minor', 'minor'], (some, second) => {
    const status = pick(absent(errorStatuses, some), second);
    return status === undefined ? undefined : [...some, status];
  }),
  statusEdit('a success or redirect status is added', ['major', 'minor'], (some, second) => {
    const status = pick(absent(successStatuses, some), second);
    return status === undefined ? undefined : [...some, status];
  }),
  statusEdit('a status is removed', ['major', 'major'], (some, second) => {
    const status = pick(some, second);
    return status === undefined ? undefined : without(some, status);
  }),
  statusEdit('a status changes within its class', ['major', 'major'], (some, second) => {
    const status = pick(exact(some), second);
    const other = exact(absent(errorStatuses, some)).find((one) => one[0] === status?.[0]);
    return status && other ? [...without(some, status), other] : undefined;
  }),
  statusEdit('a status becomes a range', ['major', 'minor'], (some, second) => {
    const status = pick(exact(some), second);
    const range = `${status?.[0]}XX`;
    return status && !some.includes(range) ? [...without(some, status), range] : undefined;
  }),
  statusEdit('a range becomes a status', ['major', 'major'], (some, second) => {
    const range = pick(
      some.filter((status) => status.endsWith('XX')),
      second,
    );
    const status = exact(absent(errorStatuses, some)).find((one) => one[0] === range?.[0]);
    return range && status ? [...without(some, range), status] : undefined;
  }),
];

/** The required bump is derived from both models (oracle.ts), so several edits may coincide. */
const securityEdits = (
  name: string,
  change: (some: readonly Alternative[], second: number) => readonly Alternative[] | undefined,
): readonly Edit[] => [
  operationEdit(name, `security: ${name}`, ['none', 'none'], (one, second) => {
    const security = one.security && change(one.security, second);
    return security && { ...one, security };
  }),
  {
    name: `${name}, in the default security`,
    apply: (model, [, second]) => {
      const security = change(model.security, second);
      return security && { model: { ...model, security }, place: 'security', scope: 'interface', requiredBump: 'none' };
    },
  },
];

const combination = (at: number): Alternative => credentials.filter((_, bit) => (at >> bit) & 1).slice(0, 3);

const security: readonly Edit[] = [
  ...securityEdits('a security alternative is added', (some, second) => [...some, combination(second)]),
  ...securityEdits('a security alternative is removed', (some, second) =>
    some.length === 0 ? undefined : some.toSpliced(second % some.length, 1),
  ),
  ...securityEdits('a required credential is added', (some, second) => {
    const alternative = pick(some, second);
    const credential = alternative && pick(absent(credentials, alternative), second);
    return credential === undefined
      ? undefined
      : some.map((one) =>
          one === alternative ? credentials.filter((d) => d === credential || alternative.includes(d)) : one,
        );
  }),
  ...securityEdits('a required credential is removed', (some, second) => {
    const alternative = pick(some, second);
    const credential = alternative && pick(alternative, second);
    return credential === undefined
      ? undefined
      : some.map((one) => (one === alternative ? without(alternative, credential) : one));
  }),
  ...securityEdits('security alternatives are reordered', (some) => some.toReversed()),
  {
    name: 'an operation states the default security explicitly',
    apply: (model, [first]) => {
      const operation = pick(
        model.operations.filter((one) => existedBefore(one) && one.security === undefined && !one.isWebhook),
        first,
      );
      return (
        operation && {
          model: {
            ...model,
            operations: model.operations.map((one) => (one === operation ? { ...one, security: model.security } : one)),
          },
          place: `operation ${operation.owner} security`,
          scope: 'interface',
          requiredBump: 'none',
        }
      );
    },
  },
  {
    name: 'the header of a key changes',
    apply: (model, [first]) => {
      const scheme = pick(Object.keys(model.schemes), first)!;
      const schemes = { ...model.schemes, [scheme]: `${model.schemes[scheme]}-2` };
      return { model: { ...model, schemes }, place: `scheme ${scheme}`, scope: 'interface', requiredBump: 'none' };
    },
  },
];

const listEdit = (
  name: string,
  part: string,
  change: (list: Model['lists'][number], second: number) => Model['lists'][number] | undefined,
): Edit => ({
  name,
  apply: (model, [first, second]) => {
    const list = pick(model.lists, first);
    const changed = list && change(list, second);
    return changed === undefined
      ? undefined
      : {
          model: { ...model, lists: model.lists.map((one) => (one === list ? changed : one)) },
          place: `list ${model.lists.indexOf(list!)} ${part}`,
          scope: 'interface',
          requiredBump: 'none',
        };
  },
});

/** The required bump depends on the users of the list (oracle.ts). */
const lists: readonly Edit[] = [
  listEdit('a value is added', 'more', (list) => ({ ...list, values: [...list.values, 'one_more'] })),
  listEdit('a value is removed', 'values', (list, second) =>
    list.values.length < 2 ? undefined : { ...list, values: list.values.toSpliced(second % list.values.length, 1) },
  ),
  listEdit('a value is replaced', 'values', (list, second) => ({
    ...list,
    values: list.values.with(second % list.values.length, 'instead'),
  })),
  listEdit('values are reordered', 'order', (list) => ({ ...list, values: list.values.toReversed() })),
  listEdit('a list is renamed', 'name', (list) => ({ ...list, name: `${list.name}Other` })),
];

export const operationEdits: readonly Edit[] = [...existence, ...identity, ...statuses, ...security, ...lists];
