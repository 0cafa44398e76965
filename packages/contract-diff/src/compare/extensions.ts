// Fields named `x-…`: which of them carry meaning, and what a change of each means.

import { equal, isList, isObject, texts } from '../model/json.ts';
import type { RuleId } from '../policy/rules.ts';
import type { Comparison, Pair } from './comparison.ts';
import { internalRule, stabilityRule, sunsetRule } from './lifecycle.ts';
import { compareText } from './prose.ts';

/** What the two values of an extension mean: which rule, or undefined for no change at all. */
type Meaning = (before: unknown, after: unknown, comparison: Comparison) => RuleId | undefined;

/** Nothing a client sees: directions for tools, or read elsewhere. */
const ignored: Meaning = () => undefined;
/** Any change is a change of what the place means. */
const hard: Meaning = () => 'semantics-changed';
/** What generated code calls the values of a list. */
const names: Meaning = () => 'constant-names-changed';
/** May mean something: a person must say. */
const unknown: Meaning = () => 'extension-changed';

/** One table of all extensions that are known. `prose` is compared like a description. */
const table: Readonly<Record<string, Meaning | 'prose'>> = {
  // Who may do what, and which records they reach.
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
  // What a value is.
  'x-unit': hard,
  'x-units': hard,
  'x-currency': hard,
  'x-timezone': hard,
  'x-semantics': hard,
  'x-enum-varnames': names,
  'x-enumNames': names,
  // Compared value by value, in schema.ts.
  'x-extensible-enum': ignored,
  // How promises begin and end.
  'x-sunset': (before, after, comparison) => sunsetRule(comparison, before, after),
  'x-stability-level': stabilityRule,
  'x-internal': internalRule,
  // Words.
  'x-displayName': 'prose',
  'x-summary': 'prose',
  'x-description': 'prose',
  'x-enum-descriptions': 'prose',
  'x-enumDescriptions': 'prose',
  // Read by this comparison itself.
  'x-renamed-from': ignored,
  'x-webhook-payload-version': ignored,
  'x-webhooks': ignored,
  // For tools that draw pages.
  'x-codeSamples': ignored,
  'x-code-samples': ignored,
  'x-logo': ignored,
  'x-tagGroups': ignored,
};

/** Extensions of others, whose names tell what they are about. */
const byName: readonly (readonly [name: RegExp, meaning: Meaning])[] = [
  [/role|scope|access|reach|permission/i, access],
  [/unit|currency|semantic|meaning|timezone|precision|scale/i, hard],
];

const meaningOf = (name: string): Meaning | 'prose' =>
  (Object.hasOwn(table, name) ? table[name] : undefined) ??
  byName.find(([pattern]) => pattern.test(name))?.[1] ??
  unknown;

const uses = { ignored, prose: 'prose', meaning: hard } as const;

/** Compares the extensions of a place. */
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
    if (rule !== undefined) comparison.report(rule, pair, `\`${name}\` ${said(before, after)}`, { key: name });
  }
}

const said = (before: unknown, after: unknown): string =>
  before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';

/** Words for how far a role reaches, and for roles, from the least to the most. */
const reaches = ['none', 'self', 'team', 'all'];
const roles = ['employee', 'manager', 'admin'];

/** Each part of a rule of access as a number that grows with what is allowed; undefined where the words are not known. */
type Allowed = ReadonlyMap<string, number> | undefined;

/** Without a rule everything is allowed. */
const everything = Number.POSITIVE_INFINITY;

function access(before: unknown, after: unknown): RuleId {
  return judgeAccess(allowedBy(before), allowedBy(after));
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
  return judgeAccess(parts(before), parts(after));
}

function allowedBy(value: unknown): Allowed {
  if (value === undefined) return new Map();
  if (typeof value === 'string') {
    // The reach of everyone; or the least role, where a higher one means that fewer are allowed.
    if (reaches.includes(value)) return new Map([['', grade(value)]]);
    return roles.includes(value) ? new Map([['', -roles.indexOf(value)]]) : undefined;
  }
  if (isList(value))
    return new Map([...roles, ...texts(value)].map((name) => [`in ${name}`, texts(value).includes(name) ? 1 : 0]));
  if (!isObject(value)) return undefined;
  const allowed = new Map<string, number>();
  for (const [name, part] of Object.entries(value)) {
    // Scopes that are all needed: one more allows less.
    if (name === 'scopes') for (const scope of texts(part)) allowed.set(`scope ${scope}`, 0);
    else if (typeof part === 'string' && reaches.includes(part)) allowed.set(name, grade(part));
    else return undefined;
  }
  return allowed;
}

const grade = (reach: string): number => (reach === 'all' ? everything : reaches.indexOf(reach));

function judgeAccess(before: Allowed, after: Allowed): RuleId {
  if (!before || !after) return 'access-narrowed';
  const names = new Set([...before.keys(), ...after.keys()]);
  const narrowed = [...names].some((name) => (after.get(name) ?? everything) < (before.get(name) ?? everything));
  return narrowed ? 'access-narrowed' : 'access-widened';
}
