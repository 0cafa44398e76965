// Compares security requirements: alternatives of schemes that are required together, each with scopes.

import type { Cursor } from '../../load/document.ts';
import { equal, isList, isObject, member, texts } from '../../model/json.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareText, compareWords } from '../prose.ts';

/** A security alternative: required scopes by scheme. */
type Alternative = ReadonlyMap<string, ReadonlySet<string>>;

/** Compares the requirements of an operation: its own, or the document's. */
export function compareSecurity(comparison: Comparison, operation: Pair): void {
  const [before, after] = [effective(operation, operation.base!), effective(operation, operation.revised!)];
  const old = alternativesOf(before);
  const names = schemeNames(comparison);
  const now = alternativesOf(after).map(
    (alternative) => new Map([...alternative].map(([name, scopes]) => [names.get(name) ?? name, scopes] as const)),
  );
  const own = before.own || after.own;
  const top = operation.below(
    operation.base!.document.top,
    operation.revised!.document.top,
    'the document',
    operation.traffic,
  );
  const pair = own ? operation : top;
  const removed = old.filter((alternative) => !now.some((other) => same(alternative, other)));
  const added = now.filter((alternative) => !old.some((other) => same(alternative, other)));
  const report = (
    rule: 'security-tightened' | 'security-loosened' | 'security-alternative-removed' | 'security-alternative-added',
    from: Alternative[],
    to: Alternative[],
    text: string,
  ) =>
    comparison.report(rule, pair, `the security requirements changed: ${text}`, {
      key: 'security',
      before: from.map(describe),
      after: to.map(describe),
    });
  if (removed.length > 0 || added.length > 0) {
    if (operation.traffic.direction === 'accept') {
      const dropped = removed.filter((alternative) => !now.some((other) => requiresNoMore(other, alternative)));
      if (dropped.length > 0)
        report(
          added.length > 0 ? 'security-tightened' : 'security-alternative-removed',
          removed,
          added,
          `${dropped.map(describe).join(' or ')} is no longer sufficient`,
        );
      else if (removed.length > 0)
        report(
          'security-loosened',
          removed,
          added,
          `${added.map(describe).join(' or ') || describeAll(now)} is sufficient now`,
        );
      else
        report(
          'security-alternative-added',
          removed,
          added,
          `${added.map(describe).join(' or ')} is sufficient as well`,
        );
    } else {
      // Receivers verify the credentials they expect: each message must still satisfy one of the old alternatives.
      const unexpected = now.filter((alternative) => !old.some((other) => requiresNoMore(other, alternative)));
      const dropped = removed.filter((alternative) => !now.some((other) => requiresNoMore(alternative, other)));
      if (unexpected.length > 0 || dropped.length > 0)
        report(
          'security-tightened',
          removed,
          added,
          `messages no longer carry ${removed.length > 0 ? removed.map(describe).join(' or ') : 'the same credentials'}`,
        );
      else report('security-loosened', removed, added, `messages carry ${added.map(describe).join(' or ')} now`);
    }
  }
  // Skip schemes that only one side requires: that was reported above.
  const requiredNow = new Set(now.flatMap((alternative) => [...alternative.keys()]));
  for (const name of new Set(old.flatMap((alternative) => [...alternative.keys()])))
    if (requiredNow.has(name)) compareScheme(comparison, top, name, names);
}

interface Effective {
  readonly own: boolean;
  readonly value: unknown;
}

/** The operation's own requirements, otherwise the document's. The document's apply to calls to the service, not from it. */
function effective({ traffic }: Pair, operation: Cursor): Effective {
  const own = operation.get('security');
  if (own !== undefined) return { own: true, value: own };
  return { own: false, value: traffic.direction === 'accept' ? operation.document.root.security : undefined };
}

function alternativesOf({ value }: Effective): Alternative[] {
  const alternatives = isList(value) ? value.filter(isObject) : [];
  // An empty list requires nothing.
  if (alternatives.length === 0) return [new Map()];
  return alternatives.map(
    (alternative) => new Map(Object.entries(alternative).map(([name, scopes]) => [name, new Set(texts(scopes))])),
  );
}

const requiresNoMore = (a: Alternative, b: Alternative): boolean =>
  [...a].every(([name, scopes]) => {
    const other = b.get(name);
    return other !== undefined && [...scopes].every((scope) => other.has(scope));
  });

const same = (a: Alternative, b: Alternative): boolean => requiresNoMore(a, b) && requiresNoMore(b, a);

const describe = (alternative: Alternative): string =>
  alternative.size === 0
    ? 'no authentication'
    : [...alternative]
        .map(([name, scopes]) => (scopes.size > 0 ? `${name} (${[...scopes].join(', ')})` : name))
        .join(' and ');
const describeAll = (alternatives: Alternative[]): string => alternatives.map(describe).join(' or ');

const knownNames = new WeakMap<Comparison, Map<string, string>>();

/** Former names of renamed schemes. */
function schemeNames(comparison: Comparison): Map<string, string> {
  const known = knownNames.get(comparison);
  if (known) return known;
  const { base, revised } = comparison;
  const [old, now] = [base, revised].map((side) => schemesOf(side.top)) as [Map<string, Cursor>, Map<string, Cursor>];
  const names = new Map<string, string>();
  for (const [name, scheme] of now) {
    if (old.has(name)) continue;
    const former = [...old].find(([candidate, other]) => !now.has(candidate) && equal(other.value, scheme.value));
    if (former) names.set(name, former[0]);
  }
  knownNames.set(comparison, names);
  return names;
}

const schemesOf = (top: Cursor): Map<string, Cursor> =>
  new Map(top.at('components')?.entriesOf('securitySchemes') ?? []);

function compareScheme(comparison: Comparison, top: Pair, name: string, names: ReadonlyMap<string, string>): void {
  const now = [...names].find(([, former]) => former === name)?.[0] ?? name;
  const pair = top.below(schemesOf(top.base!).get(name), schemesOf(top.revised!).get(now), `security scheme ${name}`);
  if (!pair.base && !pair.revised) return;
  if (comparison.reportOneSided(pair, 'security-scheme-removed', 'security-scheme-added')) return;
  if (equal(pair.base?.value, pair.revised?.value)) return;
  compareWords(comparison, pair);
  compareExtensions(comparison, pair);
  for (const key of ['type', 'name', 'in', 'scheme', 'openIdConnectUrl', 'oauth2MetadataUrl', 'bearerFormat']) {
    const [before, after] = [pair.base?.get(key), pair.revised?.get(key)];
    const folded = key === 'scheme' || (key === 'name' && pair.base?.get('in') === 'header');
    const fold = (value: unknown) => (folded && typeof value === 'string' ? value.toLowerCase() : value);
    if (fold(before) !== fold(after)) comparison.report('security-scheme-changed', pair, `\`${key}\` changed`, { key });
  }
  for (const flow of pair.at('flows').members((name) => `${pair.where}, flow ${name}`)) compareFlow(comparison, flow);
}

function compareFlow(comparison: Comparison, pair: Pair): void {
  if (comparison.reportOneSided(pair, 'security-flow-removed', 'security-flow-added')) return;
  compareExtensions(comparison, pair);
  for (const key of ['authorizationUrl', 'deviceAuthorizationUrl', 'tokenUrl', 'refreshUrl']) {
    const [before, after] = [pair.base?.get(key), pair.revised?.get(key)];
    if (before === after) continue;
    const rule = before === undefined ? 'security-flow-added' : 'security-scheme-changed';
    comparison.report(rule, pair, `\`${key}\` ${before === undefined ? 'was added' : 'changed'}`, { key });
  }
  const scopes = pair.at('scopes');
  for (const scope of new Set([...namesOf(scopes.base), ...namesOf(scopes.revised)])) {
    const [before, after] = [member(scopes.base?.value, scope), member(scopes.revised?.value, scope)];
    if (before === undefined || after === undefined)
      comparison.report(
        before === undefined ? 'scope-added' : 'scope-removed',
        scopes,
        `the scope ${scope} was ${before === undefined ? 'added' : 'removed'}`,
        { key: scope },
      );
    else compareText(comparison, scopes, scope);
  }
}

const namesOf = (cursor: Cursor | undefined): string[] => (isObject(cursor?.value) ? Object.keys(cursor.value) : []);
