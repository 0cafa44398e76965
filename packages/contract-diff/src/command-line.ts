// The command line: parses arguments, compares, prints reports, and returns an exit code.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CommanderError } from 'commander';
import { accept } from './accept-command.ts';
import { changelog } from './changelog-command.ts';
import { CannotCompare } from './model/cannot-compare.ts';
import { type Arguments, commandOf, exitCodes, optionsOf } from './options.ts';
import { rules } from './policy/rules.ts';
import { formats, textFailure } from './report/formats.ts';
import { compareContracts, type Result } from './verdict/compare-contracts.ts';

/**
 * Runs the command.
 * @returns the exit code: 0 compatible, 1 insufficient version bump, 2 not compared, 3 a report could not be written
 */
export async function main(argv: string[]): Promise<number> {
  if (argv[0] === 'accept') return accept(argv.slice(1));
  if (argv[0] === 'changelog') return changelog(argv.slice(1));
  const command = commandOf(ownVersion());
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    // Commander has printed help or a usage error.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.passed : exitCodes.notCompared;
    throw error;
  }
  const options = command.opts<Arguments>();
  if (options.explain !== undefined) return print(options.explain);
  if (options.rules) return print(listOfRules());
  const [base, revision] = command.args;
  if (base !== undefined && revision !== undefined) return compare(base, revision, options);
  process.stderr.write('Two documents are required: BASE and REVISION. See --help.\n');
  return exitCodes.notCompared;
}

async function compare(base: string, revision: string, options: Arguments): Promise<number> {
  let result: Result;
  try {
    result = await compareContracts(base, revision, optionsOf(options));
  } catch (error) {
    if (!(error instanceof CannotCompare)) throw error;
    const { reasons } = error;
    process.stderr.write(textFailure(reasons));
    const written = report(options, (format) => formats[format].fail(reasons), options.format !== 'text');
    return written ? exitCodes.notCompared : exitCodes.failed;
  }
  if (!report(options, (format) => formats[format].print(result), true)) return exitCodes.failed;
  return result.ok ? exitCodes.passed : exitCodes.missing;
}

/** Prints and writes the requested reports. @returns whether all were written */
function report(
  { format, output = [], quiet }: Arguments,
  textOf: (format: Arguments['format']) => string,
  printed: boolean,
): boolean {
  let written = true;
  for (const { format: own, file } of output) {
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, textOf(own));
    } catch (error) {
      process.stderr.write(`The report couldn't be written: ${(error as Error).message}\n`);
      written = false;
    }
  }
  if (printed && !quiet) process.stdout.write(textOf(format));
  return written;
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.passed;
}

const listOfRules = (): string =>
  Object.entries(rules)
    .map(([id, { title }]) => `${id.padEnd(30)} ${title}\n`)
    .join('');

/** Version of the package, which is the parent folder of both source and compiled code. */
function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
