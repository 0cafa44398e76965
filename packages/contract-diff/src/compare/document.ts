// Compares two documents, part by part.

import type { ContractDocument, Cursor } from '../load/document.ts';
import { operationLabel, operationsOf, strayParameters } from '../load/operations.ts';
import type { Finding } from '../model/findings.ts';
import { equal, texts } from '../model/json.ts';
import type { Policy } from '../policy/policy.ts';
import { Comparison, Pair, type Traffic } from './comparison.ts';
import { compareExtensions } from './extensions.ts';
import type { OperationFilter } from './filter.ts';
import { compareIneffectiveEdits } from './ineffective-edits.ts';
import { compareOperations } from './operations/operations.ts';
import { compareMovedPrefix, compareServers } from './operations/servers.ts';
import { compareText, compareWords } from './prose.ts';
import { compareUnused } from './unused.ts';

const requests: Traffic = { scope: 'interface', direction: 'accept' };
const payloads: Traffic = { scope: 'webhook_payload', direction: 'emit' };

/**
 * Finds all changes between two documents, classified by the policy, before change files are applied.
 * @param day reference date for announced removals, as YYYY-MM-DD
 * @param filter selects the operations to compare
 */
export function compareDocuments(
  base: ContractDocument,
  revised: ContractDocument,
  policy: Policy,
  day: string,
  filter: OperationFilter,
): Finding[] {
  for (const side of [base, revised]) for (const warning of strayParameters(side.top)) side.warn(warning);
  const comparison = new Comparison(base, revised, policy, day);
  const top = new Pair(base.top, revised.top, requests, 'the document');
  compareInfo(comparison, top);
  compareMovedPrefix(comparison, top);
  if ([base, revised].every(isInherited)) compareServers(comparison, top, 'the servers');
  compareTags(comparison, top);
  compareExtensions(comparison, top);
  compareText(comparison, top, 'externalDocs');
  const selectOperations = (items: (side: ContractDocument) => [string, Cursor][]) =>
    filter.apply([operationsOf(items(base)), operationsOf(items(revised))]);
  compareOperations(comparison, top, requests, selectOperations(pathsOf), operationLabel, comparison.prefixes);
  compareOperations(comparison, top, payloads, selectOperations(webhooksOf), ({ path, method }) =>
    method === 'post' ? `webhook ${path}` : `webhook ${method.toUpperCase()} ${path}`,
  );
  if (!filter.isActive) {
    compareUnused(comparison, top);
    compareIneffectiveEdits(comparison, top);
  }
  return comparison.findings();
}

/** Whether any operation inherits the servers of the document. */
function isInherited(side: ContractDocument): boolean {
  const operations = operationsOf(pathsOf(side));
  const inherits = operations.some((one) => [one.cursor, one.item].every((node) => node.get('servers') === undefined));
  return operations.length === 0 || inherits;
}

const pathsOf = ({ top }: ContractDocument): [string, Cursor][] => top.at('paths')?.members() ?? [];

export const webhooksOf = ({ top }: ContractDocument): [string, Cursor][] => [
  ...top.entriesOf('webhooks'),
  ...(top.raw('x-webhooks')?.entries() ?? []),
];

function compareInfo(comparison: Comparison, top: Pair): void {
  const info = top.at('info', 'info');
  compareWords(comparison, info);
  compareExtensions(comparison, info);
  // Contact and license do not affect programs, but may matter to people.
  for (const key of ['license', 'contact']) {
    const [before, after] = [info.base?.get(key), info.revised?.get(key)];
    if (!equal(before, after))
      comparison.report(key === 'license' ? 'prose-changed' : 'contact-changed', info, `\`${key}\` changed`, { key });
  }
}

/** Compares tag descriptions. An operation that changes its tag is compared with the operation. */
function compareTags(comparison: Comparison, top: Pair): void {
  const byName = (side: Cursor | undefined) =>
    new Map((side?.entriesOf('tags') ?? []).map(([, tag]) => [String(tag.get('name')), tag]));
  const [old, now] = [byName(top.base), byName(top.revised)];
  const users = usersOfTags(comparison);
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    for (const traffic of users(name)) {
      const pair = top.below(old.get(name), now.get(name), `tag ${name}`, traffic);
      const rule = 'tag-list-changed';
      if (comparison.reportOneSided(pair, rule, rule, 'the description of the tag ')) continue;
      compareWords(comparison, pair);
      compareExtensions(comparison, pair);
    }
  }
}

/** Users of each tag. A tag of webhooks only belongs to the payload version. */
function usersOfTags({ base, revised }: Comparison): (name: string) => Traffic[] {
  const used = (items: [string, Cursor][]) => operationsOf(items).flatMap(({ cursor }) => texts(cursor.get('tags')));
  const byWebhooks = new Set([base, revised].flatMap((side) => used(webhooksOf(side))));
  const byPaths = new Set([base, revised].flatMap((side) => used(pathsOf(side))));
  return (name) => [
    ...(byPaths.has(name) || !byWebhooks.has(name) ? [requests] : []),
    ...(byWebhooks.has(name) ? [payloads] : []),
  ];
}
