// What may be given on the command line.
import { Command, InvalidArgumentError, Option } from 'commander';
import { defaultSourceOptions, type SourceOptions } from './load/sources/source.ts';
import type { Bump } from './model/findings.ts';
import { explain } from './policy/explain.ts';
import { isRule } from './policy/rules.ts';
import { type FormatName, formatNames, formatOfFile } from './report/formats.ts';

/** A report that is written into a file. */
interface Output {
  readonly format: FormatName;
  readonly file: string;
}

/** How documents are read, as it is written on the command line. */
export interface InputArguments {
  readonly allowPrivateAddresses?: true;
  readonly maxSize: number;
  readonly timeout: number;
}

export interface Arguments extends InputArguments {
  readonly format: FormatName;
  readonly output?: readonly Output[];
  readonly quiet?: true;
  readonly changes: string;
  readonly singleVersion: boolean;
  readonly atMost?: Bump;
  readonly policy?: string;
  readonly exceptions?: string;
  readonly explain?: string;
  readonly rules?: true;
}

const help = `
BASE and REVISION are each
  a file, YAML or JSON, in one piece or in many
  a folder of releases, 1.4.0.json and so on: the newest is meant
  a revision of git: main:openapi/openapi.yaml
  an http or https address
  - for standard input (one of the two)

Exit code:
  0  the versions say what changed
  1  a version is not raised far enough, something is undecided, or the policy forbids something
  2  nothing was compared: a document, a policy, a file of exceptions or an argument is wrong
  3  a report could not be written, or the tool itself failed

openapi-contract-diff accept --help tells how known findings are accepted.`;

/** The options of every command that reads documents. */
export const inputOptions = [
  new Option('--allow-private-addresses', 'read from addresses of this machine and of private networks too'),
  new Option('--max-size <MB>', 'the largest file that is read')
    .argParser(positive)
    .default(defaultSourceOptions.maxBytes / 1_000_000),
  new Option('--timeout <seconds>', 'how long an address may take to answer')
    .argParser(positive)
    .default(defaultSourceOptions.timeoutMs / 1_000),
] as const;

/** What these say to who reads. */
export const sourcesOf = ({ allowPrivateAddresses, maxSize, timeout }: InputArguments): SourceOptions => ({
  maxBytes: maxSize * 1_000_000,
  timeoutMs: timeout * 1_000,
  privateAddresses: allowPrivateAddresses === true,
});

/** The command, before its arguments are read. */
export const commandOf = (version: string): Command =>
  new Command('openapi-contract-diff')
    .description('Compares two OpenAPI documents, and says which version each change asks for.')
    .usage('BASE REVISION [options]')
    .argument('[base]')
    .argument('[revision]')
    .version(version)
    .addOption(new Option('--format <format>', 'how to print').choices(formatNames).default('text'))
    .option(
      '--output <file>',
      'write a report into a file as well; its ending says how (.json .md .html .sarif .xml .txt), or `format=file`. Can be given several times',
      outputOf,
    )
    .option('--quiet', 'print nothing')
    .option('--policy <file>', 'what each class and rule of findings asks for')
    .option(
      '--exceptions <file>',
      'accepted findings; `accept BASE REVISION --exceptions FILE --reason TEXT` adds to it',
    )
    .option('--changes <folder>', 'files that say whether changed words mean the same', 'openapi/changes')
    .option('--single-version', 'webhook payloads have no version of their own, but share info.version', false)
    .addOption(
      new Option(
        '--at-most <bump>',
        'pass up to this change, whatever the versions say (they need not be semantic then)',
      ).choices(['none', 'patch', 'minor', 'major']),
    )
    .addOption(inputOptions[0])
    .addOption(inputOptions[1])
    .addOption(inputOptions[2])
    .addOption(new Option('--explain <rule>', 'say what a rule means, and compare nothing').argParser(ruleOf))
    .option('--rules', 'list all rules, and compare nothing')
    .addHelpText('after', help)
    .exitOverride();

function outputOf(text: string, others: readonly Output[] = []): readonly Output[] {
  const [, name, rest] = /^([a-z]+)=(.+)$/s.exec(text) ?? [];
  const named = formatNames.find((format) => format === name);
  if (named !== undefined) return [...others, { format: named, file: rest! }];
  const format = formatOfFile(text);
  if (format === undefined)
    throw new InvalidArgumentError(
      `Its ending says no format: write format=file, with one of ${formatNames.join(', ')}.`,
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
