// Edits of operations, responses, security, and named lists, with known verdicts.
import type { Bump, Scope } from '../../src/model/findings.ts';
import { chosen, type Edit } from './edits.ts';
import {
  type Alternative,
  demands,
  existedBefore,
  failures,
  firstAdded,
  type Model,
  type Operation,
  successes,
} from './model.ts';

const scopeOf = ({ isWebhook }: Operation): Scope => (isWebhook ? 'webhook_payload' : 'interface');

/**
 * An edit of an operation: the required bump for an operation and for a webhook, and the resulting operations.
 * @param part which other part of the operation may be edited as well
 */
function operationEdit(
  name: string,
  part: string,
  [called, sent]: readonly [Bump, Bump],
  change: (operation: Operation, second: number) => Operation | undefined,
): Edit {
  return {
    name,
    apply: (model, [first, second]) => {
      const operation = chosen(model.operations.filter(existedBefore), first);
      const changed = operation && change(operation, second);
      return changed === undefined
        ? undefined
        : {
            model: { ...model, operations: model.operations.map((one) => (one === operation ? changed : one)) },
            place: `${operation!.isWebhook ? 'webhook' : 'operation'} ${operation!.owner} ${part}`,
            scope: scopeOf(operation!),
            requiredBump: operation!.isWebhook ? sent : called,
          };
    },
  };
}

/** Of two similar operations, removes one with its fields, or adds a copy. */
const existence: readonly Edit[] = [
  {
    name: 'an operation is removed',
    apply: (model, [first]) => {
      const removed = chosen(model.operations.filter(existedBefore), first);
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
      const template = chosen(model.operations.filter(existedBefore), first);
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
  operationEdit('an operation is deprecated no more', 'deprecated', ['minor', 'minor'], (one) =>
    one.deprecated ? { ...one, deprecated: false } : undefined,
  ),
];

/** At most one edit of an operation's statuses: another of the same class would look like a rename. */
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
    const status = chosen(absent(failures, some), second);
    return status === undefined ? undefined : [...some, status];
  }),
  statusEdit('a success or redirect status is added', ['major', 'minor'], (some, second) => {
    const status = chosen(absent(successes, some), second);
    return status === undefined ? undefined : [...some, status];
  }),
  statusEdit('a status is removed', ['major', 'major'], (some, second) => {
    const status = chosen(some, second);
    return status === undefined ? undefined : without(some, status);
  }),
  statusEdit('a status becomes another of its class', ['major', 'major'], (some, second) => {
    const status = chosen(exact(some), second);
    const other = exact(absent(failures, some)).find((one) => one[0] === status?.[0]);
    return status && other ? [...without(some, status), other] : undefined;
  }),
  statusEdit('a status becomes a range', ['major', 'minor'], (some, second) => {
    const status = chosen(exact(some), second);
    const range = `${status?.[0]}XX`;
    return status && !some.includes(range) ? [...without(some, status), range] : undefined;
  }),
  statusEdit('a range becomes a status', ['major', 'major'], (some, second) => {
    const range = chosen(
      some.filter((status) => status.endsWith('XX')),
      second,
    );
    const status = exact(absent(failures, some)).find((one) => one[0] === range?.[0]);
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
    name: `${name}, where nothing else is said`,
    apply: (model, [, second]) => {
      const security = change(model.security, second);
      return security && { model: { ...model, security }, place: 'security', scope: 'interface', requiredBump: 'none' };
    },
  },
];

const combination = (at: number): Alternative => demands.filter((_, bit) => (at >> bit) & 1).slice(0, 3);

const security: readonly Edit[] = [
  ...securityEdits('a security alternative is added', (some, second) => [...some, combination(second)]),
  ...securityEdits('a security alternative is removed', (some, second) =>
    some.length === 0 ? undefined : some.toSpliced(second % some.length, 1),
  ),
  ...securityEdits('one more thing is asked for', (some, second) => {
    const way = chosen(some, second);
    const demand = way && chosen(absent(demands, way), second);
    return demand === undefined
      ? undefined
      : some.map((one) => (one === way ? demands.filter((d) => d === demand || way.includes(d)) : one));
  }),
  ...securityEdits('one thing less is asked for', (some, second) => {
    const way = chosen(some, second);
    const demand = way && chosen(way, second);
    return demand === undefined ? undefined : some.map((one) => (one === way ? without(way, demand) : one));
  }),
  ...securityEdits('security alternatives are reordered', (some) => some.toReversed()),
  {
    name: 'an operation says what holds anyway',
    apply: (model, [first]) => {
      const operation = chosen(
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
    name: 'a key has another header',
    apply: (model, [first]) => {
      const scheme = chosen(Object.keys(model.schemes), first)!;
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
    const list = chosen(model.lists, first);
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
  listEdit('a list has another name', 'name', (list) => ({ ...list, name: `${list.name}Other` })),
];

export const operationEdits: readonly Edit[] = [...existence, ...identity, ...statuses, ...security, ...lists];
