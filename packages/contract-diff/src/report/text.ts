// Findings for the terminal.
import { styleText } from 'node:util';
import type { Finding, Level, Scope } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import type { Verdict } from '../verdict/versions.ts';
import { brief, differing } from './values.ts';

const headings: Readonly<Record<Level, string>> = {
  error: 'ERROR',
  major: 'MAJOR',
  undecided: 'UNDECIDED',
  minor: 'MINOR',
  patch: 'PATCH',
  none: 'NOTE',
};
const colors = {
  error: 'red',
  major: 'red',
  undecided: 'magenta',
  minor: 'yellow',
  patch: 'green',
  none: 'gray',
} as const;
const scopes: Readonly<Record<Scope, string>> = { interface: 'interface', webhook_payload: 'webhook payload' };

/** All findings, strictest first, then both verdicts. */
export function textReport(result: Result): string {
  const blocks = grouped([...result.findings, ...result.notes]).map(block);
  const undecided = result.findings.filter(({ level }) => level === 'undecided');
  return [
    ...blocks,
    ...(blocks.length === 0 && result.accepted.length === 0 ? ['No difference.'] : []),
    ...(undecided.length > 0 ? [advice(undecided)] : []),
    ...grouped(result.accepted).map(acceptedBlock),
    ...(result.warnings.length > 0 ? [warningBlock(result.warnings)] : []),
    ...result.notices.map((notice) => `Notice: ${notice}`),
    `${verdict('Interface', result.verdicts.interface)}\n${verdict('Webhook payload', result.verdicts.webhook_payload)}`,
    ...result.faults.map((error) => styleText('red', `✗ ${error}`)),
    ...(result.ok ? [styleText('green', '✓ Passed.')] : []),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Groups findings of the same change at the same location, across scopes and directions. */
export function grouped(findings: readonly Finding[]): Finding[][] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.level, finding.pointer, finding.before, finding.after]);
    const group = groups.get(key);
    if (group) group.push(finding);
    else groups.set(key, [finding]);
  }
  return [...groups.values()];
}

/** Versions and directions of a change. */
export function reachOf(group: readonly Finding[]): string {
  const found = (['interface', 'webhook_payload'] as const).flatMap((scope) => {
    const directions = new Set(group.filter((finding) => finding.scope === scope).map(({ direction }) => direction));
    if (directions.size === 0) return [];
    directions.delete('both');
    const words = { accept: 'accepted', emit: 'emitted', both: '' };
    return [
      `${scopes[scope]}${directions.size > 0 ? ` (${[...directions].map((direction) => words[direction]).join(', ')})` : ''}`,
    ];
  });
  return found.join(' and ');
}

function block(group: readonly Finding[]): string {
  const [finding] = group as readonly [Finding];
  const witness = group.find((one) => 'witness' in one)?.witness;
  const [before, after] = differing(finding.before, finding.after);
  return [
    `${heading(finding.level)} ${finding.message}`,
    `  ${finding.rule} · ${reachOf(group)}`,
    `  at ${finding.pointer || '/'} (${finding.file}:${finding.line})`,
    `  ${styleText('red', '-')} ${before}`,
    `  ${styleText('green', '+')} ${after}`,
    ...(witness === undefined ? [] : [`  for example, ${brief(JSON.stringify(witness))} is valid on one side only`]),
  ].join('\n');
}

function acceptedBlock(group: readonly Finding[]): string {
  const [{ rule, level, message, accepted }] = group as readonly [Finding];
  const until = accepted?.until === undefined ? '' : `, until ${accepted.until}`;
  return `${styleText('gray', 'ACCEPTED')} ${message}\n  ${rule} (${level})${until}: ${accepted?.reason}`;
}

const maxWarnings = 10;

const warningBlock = (warnings: readonly string[]): string =>
  [
    'Warnings:',
    ...warnings.slice(0, maxWarnings).map((warning) => `  ${warning}`),
    ...(warnings.length > maxWarnings ? [`  and ${warnings.length - maxWarnings} more (--format json has all)`] : []),
  ].join('\n');

// Nested calls: with a list of styles, Node 20 also colors output that does not go to a terminal.
const heading = (level: Level): string => styleText(colors[level], styleText('bold', headings[level]));

const advice = (undecided: readonly Finding[]): string =>
  [
    'Decide whether these descriptions still mean the same. Add this to a file in openapi/changes/, with `same` or `changed`:',
    '',
    ...grouped(undecided).flatMap(([finding]) => [`  - pointer: ${finding!.pointer}`, '    meaning: same']),
  ].join('\n');

function verdict(name: string, { required, from, to, ok }: Verdict): string {
  const versions = from === null && to === null ? 'no version' : `${from ?? 'none'} → ${to ?? 'none'}`;
  return `${ok ? styleText('green', '✓') : styleText('red', '✗')} ${name}: ${versions}, required: ${required}`;
}
