// Extensions (`x-…`): which ones carry meaning, and how to classify their changes.

import { equal, isList, isObject, texts } from '../model/json.ts';
import type { RuleId } from '../policy/rules.ts';
import type { Comparison, Pair } from './comparison.ts';
import { internalRule, stabilityRule, sunsetRule } from './lifecycle.ts';
import { compareText } from './prose.ts';

/** Classifies a change of an extension; undefined means no change. */
type Meaning = (before: unknown, after: unknown, comparison: Comparison) => RuleId | undefined;

/** Invisible to clients: instructions for tools, or handled elsewhere. */
const ignored: Meaning = () => undefined;
/** Any change affects semantics. */
const semantic: Meaning = () => 'semantics-changed';
/** Names of enum constants in generated code. */
const names: Meaning = () => 'constant-names-changed';
/** Possibly meaningful: needs a human decision. */
const unknown: Meaning = () => 'extension-changed';

/** All known extensions. `prose` is compared like a description. */
const table: Readonly<Record<string, Meaning | 'prose'>> = {
  // Access control.
  'x-access': access,
  'x-read-access': access,
  'x-write-access': access,
  'x-value-access': (before, after) => valueAccess(before, after),
  // Limits.
  'x-rate-limit': (before, after) =>
    after === undefined ? 'rate-limit-lifted' : before === undefined ? 'rate-limit-tightened' : 'semantics-changed',
  'x-max-body-bytes': (before, after) =>
    typeof before === 'number' && typeof after === 'number' && after > before
      ? 'body-limit-raised'
      : 'body-limit-lowered',
  // Semantics of a value.
  'x-unit': semantic,
  'x-units': semantic,
  'x-currency': semantic,
  'x-timezone': semantic,
  'x-semantics': semantic,
  'x-enum-varnames': names,
  'x-enumNames': names,
  // Compared value by value in schema.ts.
  'x-extensible-enum': ignored,
  // Lifecycle.
  'x-sunset': (before, after, comparison) => sunsetRule(comparison, before, after),
  'x-stability-level': stabilityRule,
  'x-internal': internalRule,
  // Prose.
  'x-displayName': 'prose',
  'x-summary': 'prose',
  'x-description': 'prose',
  'x-enum-descriptions': 'prose',
  'x-enumDescriptions': 'prose',
  // Used by this comparison itself.
  'x-renamed-from': ignored,
  'x-webhook-payload-version': ignored,
  'x-webhooks': ignored,
  // For documentation tools.
  'x-codeSamples': ignored,
  'x-code-samples': ignored,
  'x-logo': ignored,
  'x-tagGroups': ignored,
};

/** Unknown extensions, classified by name. */
const byName: readonly (readonly [name: RegExp, meaning: Meaning])[] = [
  [/role|scope|access|reach|permission/i, access],
  [/unit|currency|semantic|meaning|timezone|precision|scale/i, semantic],
];

const meaningOf = (name: string): Meaning | 'prose' =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ??
  byName.find(([pattern]) => pattern.test(name))?.[1] ??
  unknown;

const uses = { ignored, prose: 'prose', meaning: semantic } as const;

export function compareExtensions(comparison: Comparison, pair: Pair): void {
  const { base, revised } = pair;
  if (!isObject(base?.value) || !isObject(revised?.value)) return;
  const names = new Set([...Object.keys(base.value), ...Object.keys(revised.value)]);
  for (const name of names) {
    if (!name.startsWith('x-')) continue;
    const [before, after] = [base.get(name), revised.get(name)];
    if (before === after || equal(before, after)) continue;
    const use = comparison.policy.useOf(name);
    const meaning = use === undefined ? meaningOf(name) : uses[use];
    if (meaning === 'prose') {
      compareText(comparison, pair, name);
      continue;
    }
    const rule = meaning(before, after, comparison);
    if (rule !== undefined)
      comparison.report(rule, pair, `\`${name}\` ${describeChange(before, after)}`, { key: name });
  }
}

const describeChange = (before: unknown, after: unknown): string =>
  before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';

/** Access levels and roles, from lowest to highest. */
const reaches = ['none', 'self', 'team', 'all'];
const roles = ['employee', 'manager', 'admin'];

/** An access rule as numbers that grow with what is allowed; undefined for unknown terms. */
type Allowed = ReadonlyMap<string, number> | undefined;

/** No rule allows everything. */
const everything = Number.POSITIVE_INFINITY;

function access(before: unknown, after: unknown): RuleId {
  return compareAccess(allowedBy(before), allowedBy(after));
}

function valueAccess(before: unknown, after: unknown): RuleId {
  const parts = (value: unknown): Allowed => {
    if (value === undefined) return new Map();
    if (!isObject(value)) return undefined;
    const all = new Map<string, number>();
    for (const [name, rule] of Object.entries(value)) {
      const allowed = allowedBy(rule);
      if (!allowed) return undefined;
      for (const [role, reach] of allowed) all.set(`${name}.${role}`, reach);
    }
    return all;
  };
  return compareAccess(parts(before), parts(after));
}

function allowedBy(value: unknown): Allowed {
  if (value === undefined) return new Map();
  if (typeof value === 'string') {
    // A reach for everyone; or a minimum role, where a higher one allows fewer people.
    if (reaches.includes(value)) return new Map([['', grade(value)]]);
    return roles.includes(value) ? new Map([['', -roles.indexOf(value)]]) : undefined;
  }
  if (isList(value))
    return new Map([...roles, ...texts(value)].map((name) => [`in ${name}`, texts(value).includes(name) ? 1 : 0]));
  if (!isObject(value)) return undefined;
  const allowed = new Map<string, number>();
  for (const [name, part] of Object.entries(value)) {
    // All scopes are required: an additional one allows less.
    if (name === 'scopes') for (const scope of texts(part)) allowed.set(`scope ${scope}`, 0);
    else if (typeof part === 'string' && reaches.includes(part)) allowed.set(name, grade(part));
    else return undefined;
  }
  return allowed;
}

const grade = (reach: string): number => (reach === 'all' ? everything : reaches.indexOf(reach));

function compareAccess(before: Allowed, after: Allowed): RuleId {
  if (!before || !after) return 'access-narrowed';
  const names = new Set([...before.keys(), ...after.keys()]);
  const narrowed = [...names].some((name) => (after.get(name) ?? everything) < (before.get(name) ?? everything));
  return narrowed ? 'access-narrowed' : 'access-widened';
}
