// Compares server URLs, which are part of every request.

import type { Cursor } from '../../load/document.ts';
import { texts } from '../../model/json.ts';
import type { Comparison, Pair } from '../comparison.ts';
import { compareExtensions } from '../extensions.ts';
import { compareWords } from '../prose.ts';

/** Compares the servers of a document, path, or operation. An empty list means the URL `/`. */
export function compareServers(comparison: Comparison, pair: Pair, where: string): void {
  const [oldPrefix, newPrefix] = comparison.prefixes ?? [];
  const [old, now] = [serversOf(pair.base, newPrefix), serversOf(pair.revised, oldPrefix)];
  const removed = [...old].filter(([url]) => !now.has(url));
  const added = [...now].filter(([url]) => !old.has(url));
  const at = (base: Cursor | undefined, revised: Cursor | undefined) => pair.below(base, revised, where);
  matchTemplates(comparison, removed, added, at);
  // A document without servers has no URL that could change.
  for (const list of [removed, added])
    if (list.length === 1 && list[0]![1] === undefined && removed.length > 0 && added.length > 0) list.shift();
  while (removed.length > 0 && added.length > 0) {
    const [[from, before], [to, after]] = [removed.shift()!, added.shift()!];
    comparison.report(
      'server-changed',
      at(before ?? pair.base, after ?? pair.revised),
      `the URL ${from} changed to ${to}`,
      { before: from, after: to },
    );
  }
  for (const [url, cursor] of removed)
    comparison.report('server-removed', at(cursor, undefined), `the URL ${url} was removed`, { before: url });
  for (const [url, cursor] of added)
    comparison.report('server-added', at(undefined, cursor), `the URL ${url} was added`, { after: url });
  const [[first] = [], [firstNow] = []] = [[...old.keys()], [...now.keys()]];
  if (removed.length === 0 && first !== undefined && firstNow !== undefined && first !== firstNow && now.has(first))
    comparison.report(
      'first-server-changed',
      pair.at('servers', where),
      `the first server was ${first} and is now ${firstNow}`,
      { before: first, after: firstNow },
    );
  for (const [url, before] of old) {
    const after = now.get(url);
    if (!before || !after) continue;
    const both = at(before, after);
    compareWords(comparison, both);
    compareExtensions(comparison, both);
    compareVariables(comparison, both);
  }
}

/** Detects a prefix that moved between the server URLs and the paths. */
export function compareMovedPrefix(comparison: Comparison, top: Pair): void {
  const prefixes = movedPrefix(comparison);
  if (!prefixes) return;
  comparison.prefixes = prefixes;
  const [removed, added] = prefixes;
  const text = removed
    ? `${removed} moved from the servers into the paths; all URLs stay the same`
    : `${added} moved from the paths into the servers; all URLs stay the same`;
  comparison.report('server-prefix-moved', top, text, { key: 'servers' });
}

/** @returns the prefixes to add to the old and the new paths; undefined if none moved */
function movedPrefix(comparison: Comparison): readonly [old: string, now: string] | undefined {
  const [before, after] = [comparison.base, comparison.revised].map(({ top }) =>
    [...serversOf(top).keys()].map(withoutTrailingSlash),
  );
  const [paths, pathsNow] = [comparison.base, comparison.revised].map(({ top }) =>
    (top.at('paths')?.members() ?? []).map(([path]) => path),
  );
  const from = (longer: string[], shorter: string[], own: string[], others: string[]) => {
    const prefix = longer[0]!.slice(shorter[0]!.length);
    const moved = longer.length === shorter.length && longer.every((url, index) => url === shorter[index] + prefix);
    if (!moved || !/^\/[^{}]+$/.test(prefix)) return undefined;
    return own.some((path) => others.includes(prefix + path)) && !own.some((path) => others.includes(path))
      ? prefix
      : undefined;
  };
  const removed = from(before!, after!, paths!, pathsNow!);
  if (removed !== undefined) return [removed, ''];
  const added = from(after!, before!, pathsNow!, paths!);
  return added === undefined ? undefined : ['', added];
}

const withoutTrailingSlash = (url: string): string => url.replace(/\/$/, '');

type Server = [url: string, cursor: Cursor | undefined];

/** Matches a URL whose part became a variable, or vice versa, if the variable defaults expand to the other URL. */
function matchTemplates(
  comparison: Comparison,
  removed: Server[],
  added: Server[],
  at: (base: Cursor | undefined, revised: Cursor | undefined) => Pair,
): void {
  for (const from of [...removed]) {
    const to = added.find((one) => expanded(one) === expanded(from) && from[0].includes('{') !== one[0].includes('{'));
    if (!to) continue;
    removed.splice(removed.indexOf(from), 1);
    added.splice(added.indexOf(to), 1);
    const wider = to[0].includes('{');
    comparison.report(
      wider ? 'server-added' : 'server-removed',
      at(from[1], to[1]),
      wider ? `the URL ${from[0]} is one of ${to[0]} now` : `of ${from[0]} only ${to[0]} is left`,
      { before: from[0], after: to[0] },
    );
  }
}

/** The URL with default values for its variables. */
const expanded = ([url, cursor]: Server): string =>
  url.replace(/\{([^{}]*)\}/g, (variable, name: string) =>
    String(cursor?.at('variables')?.at(name)?.get('default') ?? variable),
  );

/** @param prefix the prefix to add to the URLs of this side, if one moved */
function serversOf(cursor: Cursor | undefined, prefix?: string): Map<string, Cursor | undefined> {
  const servers = cursor?.entriesOf('servers') ?? [];
  const withPrefix = (url: string) => (prefix === undefined ? url : withoutTrailingSlash(url) + prefix);
  return servers.length === 0
    ? new Map([[withPrefix('/'), undefined]])
    : new Map(servers.map(([, server]) => [withPrefix(String(server.get('url'))), server]));
}

const describeValues = (values: readonly string[]): string =>
  values.length === 1 ? `the value ${values[0]} was` : `the values ${values.join(', ')} were`;

function compareVariables(comparison: Comparison, server: Pair): void {
  for (const pair of server.at('variables').members((name) => `${server.where}, variable ${name}`)) {
    if (comparison.reportOneSided(pair, 'server-changed', 'server-changed', 'the variable ')) continue;
    compareWords(comparison, pair);
    if (pair.base!.get('default') !== pair.revised!.get('default'))
      comparison.report('server-changed', pair, 'the default changed', { key: 'default' });
    const [old, now] = [texts(pair.base!.get('enum')), texts(pair.revised!.get('enum'))];
    if (old.length > 0 !== now.length > 0) {
      const text = old.length > 0 ? 'any value is allowed now' : 'only listed values are allowed now';
      comparison.report(old.length > 0 ? 'server-added' : 'server-removed', pair, text, { key: 'enum' });
      continue;
    }
    const removed = old.filter((item) => !now.includes(item));
    const added = now.filter((item) => !old.includes(item));
    if (removed.length > 0)
      comparison.report('server-removed', pair, `${describeValues(removed)} removed`, {
        key: 'enum',
        before: removed,
        after: undefined,
      });
    if (added.length > 0)
      comparison.report('server-added', pair, `${describeValues(added)} added`, {
        key: 'enum',
        before: undefined,
        after: added,
      });
  }
}
