// `openapi-contract-diff changelog`: prints the changes between two documents, or across a folder of releases.
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Command, Option } from 'commander';
import { releasesIn } from './load/sources/released.ts';
import { CannotCompare } from './model/cannot-compare.ts';
import { type ComparisonArguments, optionsOf, runCommand, withComparison } from './options.ts';
import { markdownChangelog } from './report/changelog.ts';
import { htmlChangelog } from './report/html.ts';
import { compareContracts, type Result } from './verdict/compare-contracts.ts';

interface Arguments extends ComparisonArguments {
  readonly format?: keyof typeof pages;
  readonly output?: string;
}

const pages = { markdown: markdownChangelog, html: htmlChangelog };

/**
 * Runs the command.
 * @param argv arguments after `changelog`
 * @returns the exit code: 0, or 2 when the documents could not be compared
 */
export function changelog(argv: string[]): Promise<number> {
  const command = withComparison(
    new Command('openapi-contract-diff changelog')
      .description('Writes a changelog page for two documents, or for a folder of releases.')
      .argument('<base>', 'a document, or a folder of releases')
      .argument('[revision]', 'a document; without it, each release of the folder is compared with the one before')
      .addOption(new Option('--format <format>', 'format of the page').choices(Object.keys(pages)))
      .option('--output <file>', 'file to write to; with the extension .html, in HTML'),
  );
  const work = async () => {
    const [base, revised] = command.processedArgs as [string, string?];
    const { format, output, ...options } = command.opts<Arguments>();
    const page = format ?? (output !== undefined && /\.html?$/i.test(output) ? 'html' : 'markdown');
    const text = pages[page](await compareAll(base, revised, options));
    if (output === undefined) return text;
    mkdirSync(dirname(output), { recursive: true });
    writeFileSync(output, text);
    return '';
  };
  return runCommand(command, argv, work, 'There is no changelog:');
}

async function compareAll(base: string, revised: string | undefined, args: ComparisonArguments): Promise<Result[]> {
  // A changelog has no verdict.
  const { atMost: _, ...others } = optionsOf(args);
  const options = { ...others, failOn: 'error' } as const;
  if (revised !== undefined) return [await compareContracts(base, revised, options)];
  const releases = statSync(base, { throwIfNoEntry: false })?.isDirectory() ? releasesIn(base) : [];
  if (releases.length < 2)
    throw new CannotCompare(`${base} isn't a folder with at least two releases: name two documents.`);
  const results: Result[] = [];
  for (const [index, release] of releases.entries())
    if (index > 0) results.unshift(await compareContracts(releases[index - 1]!, release, options));
  return results;
}
