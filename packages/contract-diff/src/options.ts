// Command line options, and helpers shared by the commands.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { defaultSourceOptions } from './load/sources/source.ts';
import { CannotCompare } from './model/cannot-compare.ts';
import { type Bump, bumps, type Level, levels } from './model/findings.ts';
import { explain } from './policy/explain.ts';
import { isRule } from './policy/rules.ts';
import { type FormatName, formatNames, formatOfFile } from './report/formats.ts';
import type { Options } from './verdict/compare-contracts.ts';

/** Documented and stable. */
export const exitCodes = { passed: 0, missing: 1, notCompared: 2, failed: 3 } as const;

interface Output {
  readonly format: FormatName;
  readonly file: string;
}

export interface ComparisonArguments {
  readonly policy?: string;
  readonly exceptions?: string;
  readonly changes: string;
  readonly singleVersion?: true;
  readonly failOn?: Level;
  readonly atMost?: Bump;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  readonly allowPrivateAddresses?: true;
  readonly maxSize: number;
  readonly timeout: number;
}

export interface Arguments extends ComparisonArguments {
  readonly format: FormatName;
  readonly output?: readonly Output[];
  readonly quiet?: true;
  readonly explain?: string;
  readonly rules?: true;
}

const help = `
BASE and REVISION are each
  a YAML or JSON file, which may refer to others
  a folder of releases such as 1.4.0.json: the newest release
  a file of a git revision: main:openapi/openapi.yaml; :openapi.yaml is the staged version
  a quoted glob of files or of a revision, such as 'services/*.yaml': several documents of one API
  an http or https URL
  - for standard input (one of the two)

A filter is path=GLOB, tag=NAME, operation=ID, stability=LEVEL, x-NAME or x-NAME=VALUE, such as path=/pets/**.

Exit code:
  0  passed
  1  failed: a version is too low, a change reaches --fail-on, a decision is missing, or the policy forbids a change
  2  nothing was compared: a document, a policy, a file of exceptions, or an argument is invalid
  3  a report couldn't be written, or the tool itself failed

Other commands, each with --help:
  openapi-contract-diff accept     adds findings to the file of exceptions
  openapi-contract-diff changelog  writes a changelog page`;

export const commandOf = (version: string): Command =>
  withComparison(
    new Command('openapi-contract-diff')
      .description('Compares two OpenAPI documents and says which version each change needs.')
      .usage('BASE REVISION [options]')
      .argument('[base]')
      .argument('[revision]')
      .version(version)
      .addOption(new Option('--format <format>', 'output format').choices(formatNames).default('text'))
      .option(
        '--output <file>',
        'write a report to this file too, in the format of its extension (.json .md .html .sarif .xml .txt) or as format=file; repeatable',
        outputOf,
      )
      .option('--quiet', 'print nothing')
      .option(
        '--exceptions <file>',
        'file of accepted findings, which `accept BASE REVISION --exceptions FILE --reason TEXT` extends',
      ),
  )
    .addOption(new Option('--explain <rule>', 'explain a rule, and compare nothing').argParser(ruleOf))
    .option('--rules', 'list all rules, and compare nothing')
    .addHelpText('after', help);

export const withComparison = (command: Command): Command =>
  command
    .option('--policy <file>', 'file with the levels of classes and rules')
    .option('--changes <folder>', 'folder with decisions about changed descriptions', 'openapi/changes')
    .option('--single-version', 'use info.version for webhook payloads too')
    .addOption(
      new Option('--fail-on <level>', 'fail on changes of this level or above, and ignore the versions').choices(
        levels.slice(1),
      ),
    )
    .addOption(
      new Option('--at-most <bump>', 'fail on changes above this version bump, and ignore the versions')
        .choices(bumps)
        .conflicts('failOn'),
    )
    .option('--only <filter...>', 'compare only these operations')
    .option('--except <filter...>', 'exclude these operations')
    .option('--allow-private-addresses', 'allow URLs of this machine and of private networks')
    .addOption(
      new Option('--max-size <MB>', 'maximum size of a file')
        .argParser(positive)
        .default(defaultSourceOptions.maxBytes / 1_000_000),
    )
    .addOption(
      new Option('--timeout <seconds>', 'timeout of a URL')
        .argParser(positive)
        .default(defaultSourceOptions.timeoutMs / 1_000),
    )
    .exitOverride();

export function optionsOf(args: ComparisonArguments): Options {
  const { policy, exceptions, changes, singleVersion, failOn, atMost, only, except } = args;
  const all: Options = { policy, exceptions, changes, singleVersion, failOn, atMost, only, except } as Options;
  return {
    ...(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Options),
    sources: {
      maxBytes: args.maxSize * 1_000_000,
      timeoutMs: args.timeout * 1_000,
      privateAddresses: args.allowPrivateAddresses === true,
    },
  };
}

/**
 * Runs a subcommand.
 * @param work returns the output
 * @param failure starts an error message about the documents
 * @returns the exit code
 */
export async function runCommand(command: Command, argv: string[], work: () => Promise<string>, failure: string) {
  try {
    command.parse(argv, { from: 'user' });
    process.stdout.write(await work());
    return exitCodes.passed;
  } catch (error) {
    // Commander has printed help or a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.passed : exitCodes.notCompared;
    if (!(error instanceof CannotCompare)) throw error;
    process.stderr.write(`${failure}\n${error.reasons.map((reason) => `  ${reason}\n`).join('')}`);
    return exitCodes.notCompared;
  }
}

function outputOf(text: string, others: readonly Output[] = []): readonly Output[] {
  const [, name, rest] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
  const named = formatNames.find((format) => format === name);
  if (named !== undefined) return [...others, { format: named, file: rest! }];
  const format = formatOfFile(text);
  if (format === undefined)
    throw new InvalidArgumentError(
      `Its extension names no format: write format=file, with one of ${formatNames.join(', ')}.`,
    );
  return [...others, { format, file: text }];
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function ruleOf(id: string): string {
  if (!isRule(id)) throw new InvalidArgumentError('There is no such rule; --rules lists them.');
  return explain(id);
}
