// The command line: reads arguments, compares, prints, and answers with an exit code.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { accept } from './accept-command.ts';
import { CannotCompare } from './model/cannot-compare.ts';
import type { Bump } from './model/findings.ts';
import { explain } from './policy/explain.ts';
import { isRule, rules } from './policy/rules.ts';
import { jsonFailure, jsonReport } from './report/json.ts';
import { markdownReport } from './report/markdown.ts';
import { sarifReport } from './report/sarif.ts';
import { textReport } from './report/text.ts';
import { compareContracts, type Result } from './verdict/compare-contracts.ts';

const reports = { text: textReport, json: jsonReport, markdown: markdownReport, sarif: sarifReport } as const;

interface Arguments {
  readonly format: keyof typeof reports;
  readonly changes: string;
  readonly singleVersion: boolean;
  readonly atMost?: Bump;
  readonly policy?: string;
  readonly exceptions?: string;
}

const help = `
BASE and REVISION are each a file (YAML or JSON, in one piece or in many), a folder of releases (the newest is
meant), a revision of git such as main:openapi/openapi.yaml, or an http address on this machine.

Exit code: 0 the versions say what changed, 1 a version is not raised far enough or something is undecided,
2 the documents could not be compared.`;

/**
 * Runs the command.
 *
 * @returns the exit code: 0 compatible, 1 a bump is missing, 2 could not compare
 */
export async function main(argv: string[]): Promise<number> {
  if (argv[0] === 'accept') return accept(argv.slice(1));
  const command = new Command('openapi-contract-diff')
    .description('Compares two OpenAPI documents, and says which version each change asks for.')
    .usage('BASE REVISION [options]')
    .argument('[base]')
    .argument('[revision]')
    .addOption(new Option('--format <format>', 'how to print').choices(Object.keys(reports)).default('text'))
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
    .addOption(new Option('--explain <rule>', 'say what a rule means, and compare nothing').argParser(ruleOf))
    .option('--rules', 'list all rules, and compare nothing')
    .addHelpText('after', help)
    .exitOverride();
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    // Help was printed, or a complaint about the arguments.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
  const options = command.opts<Arguments & { explain?: string; rules?: true }>();
  if (options.explain !== undefined) return print(options.explain, 0);
  if (options.rules)
    return print(
      Object.entries(rules)
        .map(([id, { title }]) => `${id.padEnd(30)} ${title}\n`)
        .join(''),
      0,
    );
  const [base, revision] = command.args;
  if (base === undefined || revision === undefined) {
    process.stderr.write('Two documents are needed: BASE and REVISION. See --help.\n');
    return 2;
  }
  return compare(base, revision, options);
}

async function compare(base: string, revision: string, options: Arguments): Promise<number> {
  let result: Result;
  try {
    result = await compareContracts(base, revision, {
      changes: options.changes,
      ...(options.singleVersion && { single: true }),
      ...(options.atMost !== undefined && { atMost: options.atMost }),
      ...(options.policy !== undefined && { policy: options.policy }),
      ...(options.exceptions !== undefined && { exceptions: options.exceptions }),
    });
  } catch (error) {
    if (!(error instanceof CannotCompare)) throw error;
    process.stderr.write(`Could not compare:\n${error.reasons.map((reason) => `  ${reason}\n`).join('')}`);
    if (options.format === 'json') process.stdout.write(jsonFailure(error.reasons));
    return 2;
  }
  return print(reports[options.format](result), result.ok ? 0 : 1);
}

function print(text: string, code: number): number {
  process.stdout.write(text);
  return code;
}

function ruleOf(id: string): string {
  if (!isRule(id)) throw new InvalidArgumentError('There is no such rule; --rules lists them.');
  return explain(id);
}
