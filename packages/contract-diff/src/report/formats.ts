// All forms of a report, by name.
import type { Result } from '../verdict/compare-contracts.ts';
import { githubFailure, githubReport } from './github.ts';
import { htmlFailure, htmlReport } from './html.ts';
import { jsonFailure, jsonReport } from './json.ts';
import { junitFailure, junitReport } from './junit.ts';
import { markdownFailure, markdownReport } from './markdown.ts';
import { sarifFailure, sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

interface Format {
  /** The report of a comparison. */
  readonly print: (result: Result) => string;
  /** What takes its place when nothing could be compared: it never looks like a report without findings. */
  readonly fail: (reasons: readonly string[]) => string;
  /** The endings of files that are meant to be of this form. */
  readonly endings: readonly string[];
}

export const formats = {
  text: { print: textReport, fail: textFailure, endings: ['.txt'] },
  json: { print: jsonReport, fail: jsonFailure, endings: ['.json'] },
  markdown: { print: markdownReport, fail: markdownFailure, endings: ['.md', '.markdown'] },
  html: { print: htmlReport, fail: htmlFailure, endings: ['.html', '.htm'] },
  sarif: { print: sarifReport, fail: sarifFailure, endings: ['.sarif', '.sarif.json'] },
  junit: { print: junitReport, fail: junitFailure, endings: ['.xml'] },
  github: { print: githubReport, fail: githubFailure, endings: [] },
} satisfies Record<string, Format>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

/** The form that a file's name asks for; undefined when it asks for none. */
export function formatOfFile(file: string): FormatName | undefined {
  const all = formatNames.flatMap((name) => formats[name].endings.map((ending) => ({ name, ending })));
  // The longest ending counts: `.sarif.json` is no `.json`.
  return all
    .filter(({ ending }) => file.toLowerCase().endsWith(ending))
    .sort((a, b) => b.ending.length - a.ending.length)[0]?.name;
}

/** Why nothing could be compared, for a person at a terminal. */
export function textFailure(reasons: readonly string[]): string {
  return `Couldn't compare:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`;
}
