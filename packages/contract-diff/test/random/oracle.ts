// Derives the required bump of security and named list changes from both models, independently of the tested code.
import { type Bump, type Scope, strictest } from '../../src/model/findings.ts';
import { type Alternative, type Field, isAccepted, type Model, type Operation } from './model.ts';

/** The required bump beyond that of the edits themselves. */
export function oracle(base: Model, revised: Model): Readonly<Record<Scope, Bump>> {
  const requiredBumps: Record<Scope, Bump[]> = { interface: [], webhook_payload: [] };
  for (const old of base.operations) {
    const now = revised.operations.find((one) => one.owner === old.owner && one.isWebhook === old.isWebhook);
    if (now) requiredBumps[old.isWebhook ? 'webhook_payload' : 'interface'].push(securityBump(base, revised, old, now));
  }
  for (const { place, owner, fields } of base.groups) {
    const group = revised.groups.find((one) => one.place === place && one.owner === owner);
    for (const field of fields)
      if (group?.fields.some(({ name }) => name === field.name) && field.type === 'named')
        requiredBumps[place === 'webhook' ? 'webhook_payload' : 'interface'].push(
          listBump(isAccepted(group), valuesOf(base, field), valuesOf(revised, field)),
        );
  }
  return {
    interface: strictest(requiredBumps.interface) as Bump,
    webhook_payload: strictest(requiredBumps.webhook_payload) as Bump,
  };
}

const valuesOf = ({ lists }: Model, { limit }: Field): readonly string[] => lists[limit % lists.length]!.values;

/** Senders may no longer send removed values; receivers don't know added ones. */
function listBump(accepted: boolean, old: readonly string[], now: readonly string[]): Bump {
  const removed = old.some((value) => !now.includes(value));
  const added = now.some((value) => !old.includes(value));
  if (accepted ? removed : added) return 'major';
  return removed || added ? 'minor' : 'none';
}

function securityBump(base: Model, revised: Model, before: Operation, after: Operation): Bump {
  const effective = (model: Model, one: Operation): readonly Alternative[] => {
    const some = one.security ?? (one.isWebhook ? [] : model.security);
    return some.length === 0 ? [[]] : some.map(withImpliedCredentials);
  };
  const [old, now] = [effective(base, before), effective(revised, after)];
  // A scheme required before and after must keep its header.
  const schemes = (some: readonly Alternative[]) => new Set(some.flat());
  const changedSchemes = Object.keys(base.schemes).filter((scheme) => base.schemes[scheme] !== revised.schemes[scheme]);
  if (changedSchemes.some((scheme) => schemes(old).has(scheme) && schemes(now).has(scheme))) return 'major';
  const broken = before.isWebhook
    ? // Each message must satisfy a former alternative, and each former alternative must remain possible.
      now.some((one) => !old.some((other) => isSubset(other, one))) ||
      old.some((one) => !now.some((other) => isSubset(one, other)))
    : // Everyone with access keeps it.
      old.some((one) => !now.some((other) => isSubset(other, one)));
  if (broken) return 'major';
  const same = (one: Alternative, other: Alternative) => isSubset(one, other) && isSubset(other, one);
  const differ =
    old.some((one) => !now.some((other) => same(one, other))) ||
    now.some((one) => !old.some((other) => same(one, other)));
  return differ ? 'minor' : 'none';
}

/** A token with a scope is a token as well. */
const withImpliedCredentials = (alternative: Alternative): Alternative => [
  ...new Set(alternative.flatMap((credential) => [credential.split(':')[0]!, credential])),
];

const isSubset = (subset: Alternative, superset: Alternative): boolean =>
  subset.every((credential) => superset.includes(credential));
