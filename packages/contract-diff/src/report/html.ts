// Findings as a self-contained HTML page, for decision makers who don't read schemas.
import type { Finding, FindingClass, Level } from '../model/findings.ts';
import type { Rule } from '../policy/rule.ts';
import { isRule, rules } from '../policy/rules.ts';
import type { Result } from '../verdict/compare-contracts.ts';
import type { Verdict } from '../verdict/versions.ts';
import { versionsOf } from './changelog.ts';
import { style } from './html-style.ts';
import { markup } from './markup.ts';
import { grouped, reachOf } from './text.ts';
import { brief, differing } from './values.ts';

const headings: Readonly<Record<Level, readonly [title: string, text: string]>> = {
  error: ['Forbidden', 'The policy forbids these in any version.'],
  major: ['Breaking', 'Existing clients may stop working.'],
  undecided: ['To be decided', 'Descriptions changed. A person has to decide whether they still mean the same.'],
  minor: ['New', 'Existing clients keep working.'],
  patch: ['Small', 'Wording, examples and the like.'],
  none: ['Noted', 'Nothing that needs a new version.'],
};

const classes: Readonly<Record<FindingClass, string>> = {
  wire: 'messages',
  'generated-code': 'generated code only',
  meaning: 'wording and meaning',
  information: 'information',
};

/** A page with the verdict in plain words, then all changes, most severe first. */
export function htmlReport(result: Result): string {
  const all = [...result.findings, ...result.notes];
  return page(result.ok ? 'Passed' : 'Failed', result.ok, [
    summary(result),
    ...sectionsOf(all),
    folded('Accepted', grouped(result.accepted).map(acceptedItem)),
    folded(
      'Warnings',
      [...result.notices, ...result.warnings].map((text) => `<li>${markup(text)}</li>`),
    ),
    all.length === 0 ? '<p>No difference.</p>' : glossary(all),
  ]);
}

export function htmlChangelog(results: readonly Result[]): string {
  const parts = results.flatMap((result) => [
    `<h2>${markup(versionsOf(result))}</h2>`,
    ...(result.findings.length === 0 ? ['<p>Nothing that clients notice.</p>'] : sectionsOf(result.findings)),
  ]);
  return page('Changes', undefined, [...parts, glossary(results.flatMap(({ findings }) => findings))]);
}

export const htmlFailure = (reasons: readonly string[]): string =>
  page("The documents couldn't be compared", false, [
    `<ul class="errors">${reasons.map((reason) => `<li>${markup(reason)}</li>`).join('')}</ul>`,
  ]);

const sectionsOf = (findings: readonly Finding[]): string[] =>
  (Object.keys(headings) as Level[]).map((level) =>
    section(level, grouped(findings.filter((finding) => finding.level === level))),
  );

/** @param good whether the check passed; undefined for a page without a verdict */
function page(title: string, good: boolean | undefined, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${markup(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    good === undefined
      ? `<header class="plain"><h1>${markup(title)}</h1></header>`
      : `<header class="${good ? 'good' : 'bad'}"><h1>${good ? '✓' : '✗'} ${markup(title)}</h1></header>`,
    '<main>',
    ...parts.filter((part) => part !== ''),
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function summary({ findings, accepted, verdicts, faults: errors }: Result): string {
  const count = (level: Level) => grouped(findings.filter((finding) => finding.level === level)).length;
  const tiles = (['error', 'major', 'undecided', 'minor', 'patch'] as const)
    .filter((level) => level === 'major' || level === 'minor' || count(level) > 0)
    .map((level) => `<li class="${level}"><b>${count(level)}</b> ${headings[level][0].toLowerCase()}</li>`);
  const known = grouped(accepted).length;
  if (known > 0) tiles.push(`<li class="none"><b>${known}</b> accepted</li>`);
  return [
    `<ul class="tiles">${tiles.join('')}</ul>`,
    '<table><thead><tr><th></th><th>from</th><th>to</th><th>required</th><th></th></tr></thead><tbody>',
    row('Interface', verdicts.interface),
    row('Webhook payload', verdicts.webhook_payload),
    '</tbody></table>',
    errors.length > 0 ? `<ul class="errors">${errors.map((error) => `<li>${markup(error)}</li>`).join('')}</ul>` : '',
  ].join('\n');
}

function row(name: string, { from, to, required, ok }: Verdict): string {
  const cells = [name, from ?? '–', to ?? '–', required === 'none' ? 'nothing' : required];
  return `<tr>${cells.map((cell) => `<td>${markup(cell)}</td>`).join('')}<td>${ok ? '✓' : '✗'}</td></tr>`;
}

function section(level: Level, groups: readonly Finding[][]): string {
  if (groups.length === 0) return '';
  const [title, text] = headings[level];
  const open = level === 'error' || level === 'major' || level === 'undecided' ? ' open' : '';
  return [
    `<details class="section ${level}"${open}><summary><h2>${title} <span>${groups.length}</span></h2></summary>`,
    `<p>${text}</p>`,
    ...groups.map(card),
    '</details>',
  ].join('\n');
}

function card(group: readonly Finding[]): string {
  const [finding] = group as readonly [Finding];
  const { rule, message, file, line, pointer } = finding;
  const [before, after] = differing(finding.before, finding.after);
  const witness = group.find((one) => 'witness' in one)?.witness;
  // A message starts with the location, but readers look for the change: swap them.
  const cut = message.indexOf(': ');
  const [where, change] = [message.slice(0, cut), message.slice(cut + 2)];
  return [
    `<article><h3>${markup(change)}</h3><p class="where">${markup(where)}</p>`,
    `<div class="sides"><div class="before"><span>before</span><code>${markup(before)}</code></div>`,
    `<div class="after"><span>after</span><code>${markup(after)}</code></div></div>`,
    witness === undefined
      ? ''
      : `<p>For example, <code>${markup(brief(JSON.stringify(witness), 120))}</code> is valid on one side only.</p>`,
    `<p class="small"><a href="#${rule}">${rule}</a> · ${classes[finding.class]} · ${markup(reachOf(group))} · <code>${markup(`${file}:${line}`)}</code> <code>${markup(pointer || '/')}</code></p>`,
    '</article>',
  ].join('\n');
}

const acceptedItem = ([finding]: readonly Finding[]): string =>
  `<li>${markup(finding!.message)}<br><em>${markup(finding!.accepted?.reason ?? '')}</em>${finding!.accepted?.until === undefined ? '' : ` until ${markup(finding!.accepted.until)}`}</li>`;

const folded = (title: string, items: readonly string[]): string =>
  items.length === 0
    ? ''
    : `<details class="section none"><summary><h2>${title} <span>${items.length}</span></h2></summary><ul>${items.join('')}</ul></details>`;

/** Reasons for the levels of all rules found. */
function glossary(all: readonly Finding[]): string {
  const used = [...new Set(all.map(({ rule }) => rule))].filter(isRule).sort();
  if (used.length === 0) return '';
  const entries = used.map((id) => {
    const rule: Rule = rules[id];
    return `<dt id="${id}">${markup(rule.title)} <code>${id}</code></dt><dd>${markup(rule.reason)}</dd>`;
  });
  return `<section class="glossary"><h2>Why</h2><dl>${entries.join('\n')}</dl></section>`;
}
