// Report formats by name.
import type { Result } from '../verdict/compare-contracts.ts';
import { githubFailure, githubReport } from './github.ts';
import { htmlFailure, htmlReport } from './html.ts';
import { jsonFailure, jsonReport } from './json.ts';
import { junitFailure, junitReport } from './junit.ts';
import { markdownFailure, markdownReport } from './markdown.ts';
import { sarifFailure, sarifReport } from './sarif.ts';
import { textReport } from './text.ts';

interface Format {
  readonly print: (result: Result) => string;
  /** The output when the comparison failed; never looks like a report without findings. */
  readonly fail: (reasons: readonly string[]) => string;
  /** File extensions of this format. */
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

/** Format by file extension; undefined if unknown. */
export function formatOfFile(file: string): FormatName | undefined {
  const all = formatNames.flatMap((name) => formats[name].endings.map((ending) => ({ name, ending })));
  // The longest extension wins: `.sarif.json` is not `.json`.
  return all
    .filter(({ ending }) => file.toLowerCase().endsWith(ending))
    .sort((a, b) => b.ending.length - a.ending.length)[0]?.name;
}

export function textFailure(reasons: readonly string[]): string {
  return `Couldn't compare:\n${reasons.map((reason) => `  ${reason}\n`).join('')}`;
}
