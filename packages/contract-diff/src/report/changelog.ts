// Changelog entries.
import type { Finding, Level, Scope } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import { escaped } from './markup.ts';
import { grouped } from './text.ts';

/**
 * Entry of a release.
 * @param date as YYYY-MM-DD
 * @param result changes since the previous release; undefined for the first
 */
export function changelogEntry(version: string, payload: string, date: string, result: Result | undefined): string {
  const heading = `## ${version}, webhook payload ${payload} (${date})`;
  if (!result) return `${heading}\n\nThe first release.\n`;
  return `${heading}\n\n${changesOf(result)}\n`;
}

/**
 * Prepends an entry to a changelog.
 * @param changelog current content; undefined for none
 * @param title text before all entries
 */
export function withEntry(changelog: string | undefined, entry: string, title: string): string {
  const older = changelog?.slice(changelog.indexOf('\n## ') + 1);
  return `${title}\n${entry}${changelog?.includes('\n## ') ? `\n${older}` : ''}`;
}

const words: Readonly<Record<Level, string>> = {
  error: 'Against the policy',
  major: 'Breaking',
  undecided: 'Undecided',
  minor: 'New',
  patch: 'Wording',
  none: 'Noted',
};

export const markdownChangelog = (results: readonly Result[]): string =>
  ['# Changes', ...results.map((result) => `## ${versionsOf(result)}\n\n${changesOf(result)}`)]
    .join('\n\n')
    .concat('\n');

export function versionsOf({ verdicts: { interface: own, webhook_payload: payload } }: Result): string {
  const webhooks = payload.to === null ? '' : `, webhook payload ${payload.from ?? 'none'} to ${payload.to}`;
  return `${own.from ?? 'no version'} to ${own.to ?? 'no version'}${webhooks}`;
}

function changesOf(result: Result): string {
  const parts = [
    ...section(result, 'interface', 'Interface'),
    ...section(result, 'webhook_payload', 'Webhook payload'),
  ];
  return (parts.length === 0 ? ['Nothing that clients notice.'] : parts).join('\n\n');
}

/** One change, with all operations that share it. */
function lineOf(group: readonly Finding[]): string {
  const operations = [...new Set(group.flatMap((finding) => finding.operations))];
  const { message } = group[0]!;
  const line = `- ${escaped(message)}`;
  return operations.length < 2 ? line : `${line}\n  Affects ${operations.map(escaped).join(', ')}.`;
}

function section(result: Result, scope: Scope, scopeTitle: string): string[] {
  const findings = result.findings.filter((finding) => finding.scope === scope);
  if (findings.length === 0) return [];
  const groups = (Object.keys(words) as Level[]).flatMap((level) => {
    const lines = grouped(findings.filter((finding) => finding.level === level)).map(lineOf);
    return lines.length === 0 ? [] : [`**${words[level]}**\n\n${[...new Set(lines)].join('\n')}`];
  });
  return [`### ${scopeTitle}`, ...groups];
}
