// Findings as Markdown, for pull request comments.
import type { Finding, Level } from '../model/findings.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import type { Verdict } from '../verdict/versions.ts';
import { escaped } from './markup.ts';
import { grouped, reachOf } from './text.ts';
import { brief, differing } from './values.ts';

const headings: Readonly<Record<Level, string>> = {
  error: '⛔ Error',
  major: '🔴 Major',
  undecided: '🟣 Undecided',
  minor: '🟡 Minor',
  patch: '🟢 Patch',
  none: '⚪ Notes',
};

/** A table of both verdicts, then findings by level; non-breaking ones are collapsed. */
export function markdownReport(result: Result): string {
  const { interface: own, webhook_payload: payload } = result.verdicts;
  const all = [...result.findings, ...result.notes];
  return [
    `## Contract: ${result.ok ? '✅ passed' : '❌ failed'}`,
    [
      '| | from | to | required | |',
      '|---|---|---|---|---|',
      row('Interface', own),
      row('Webhook payload', payload),
    ].join('\n'),
    ...result.faults.map((error) => `**${error}**`),
    ...result.notices.map((notice) => `_${escaped(notice)}_`),
    ...(Object.keys(headings) as Level[]).flatMap((level) =>
      section(
        level,
        all.filter((finding) => finding.level === level),
      ),
    ),
    ...(all.length === 0 ? ['No difference.'] : []),
    ...folded('✋ Accepted', grouped(result.accepted).map(acceptedItem)),
    ...folded(
      '⚠️ Warnings',
      result.warnings.map((warning) => `- ${escaped(warning)}`),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

export const markdownFailure = (reasons: readonly string[]): string =>
  ["## Contract: 🚫 couldn't compare", ...reasons.map((reason) => `- ${escaped(reason)}`)].join('\n\n').concat('\n');

const folded = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0
    ? []
    : [`<details><summary>${title} (${lines.length})</summary>\n\n${lines.join('\n')}\n\n</details>`];

const acceptedItem = ([finding]: readonly Finding[]): string =>
  `- ${escaped(finding!.message)} (\`${finding!.rule}\`): ${escaped(finding!.accepted?.reason ?? '')}${finding!.accepted?.until === undefined ? '' : `, until ${finding!.accepted.until}`}`;

const row = (name: string, { from, to, required, ok }: Verdict): string =>
  `| ${name} | ${from ?? '–'} | ${to ?? '–'} | ${required} | ${ok ? '✅' : '❌'} |`;

function section(level: Level, findings: readonly Finding[]): string[] {
  if (findings.length === 0) return [];
  const groups = grouped(findings);
  const list = groups.map(item).join('\n');
  if (level === 'error' || level === 'major' || level === 'undecided')
    return [`### ${headings[level]} (${groups.length})`, list];
  return [`<details><summary><b>${headings[level]}</b> (${groups.length})</summary>\n\n${list}\n\n</details>`];
}

function item(group: readonly Finding[]): string {
  const [finding] = group as readonly [Finding];
  const [before, after] = differing(finding.before, finding.after);
  const witness = group.find((one) => 'witness' in one)?.witness;
  return [
    `- ${escaped(finding.message)}<br>`,
    `  \`${finding.rule}\` · ${reachOf(group)} · ${code(`${finding.file}:${finding.line}`)}`,
    '  ```diff',
    `  - ${before}`,
    `  + ${after}`,
    '  ```',
    ...(witness === undefined
      ? []
      : [`  For example, ${code(brief(JSON.stringify(witness)))} is valid on one side only.`]),
  ].join('\n');
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
