// `openapi-contract-diff accept`: adds the findings that fail a comparison to the exceptions file, with a reason.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import { SettingsFile } from './load/settings-file.ts';
import { CannotCompare } from './model/cannot-compare.ts';
import { isDay } from './model/days.ts';
import { globMatches } from './model/glob.ts';
import { type ComparisonArguments, optionsOf, runCommand, withComparison } from './options.ts';
import { isRule } from './policy/rules.ts';
import { compareContracts } from './verdict/compare-contracts.ts';
import { exceptionEntries } from './verdict/exceptions.ts';

interface Arguments extends ComparisonArguments {
  readonly exceptions: string;
  readonly reason: string;
  readonly until?: string;
  readonly rule?: readonly string[];
  readonly place?: readonly string[];
}

/**
 * Runs the command.
 * @param argv arguments after `accept`
 * @returns the exit code: 0 on success, also if there was nothing to write; 2 when the documents could not be compared
 */
export function accept(argv: string[]): Promise<number> {
  const command = withComparison(
    new Command('openapi-contract-diff accept')
      .description('Writes the findings that block the check into the file of exceptions.')
      .argument('<base>')
      .argument('<revision>')
      .requiredOption('--exceptions <file>', "file to write to, created if it doesn't exist")
      .requiredOption('--reason <text>', 'reason for accepting them', reasonOf)
      .option('--until <day>', 'last day of the exceptions, such as 2027-01-31', dayOf)
      .option('--rule <rule...>', 'only findings of these rules', rulesOf)
      .option('--place <glob...>', 'only findings at these places (JSON pointers, with * and **)'),
  );
  const work = () => {
    const [base, revised] = command.processedArgs as [string, string];
    return write(base, revised, command.opts<Arguments>());
  };
  return runCommand(command, argv, work, 'Nothing was accepted:');
}

function reasonOf(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return text;
}

function dayOf(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('It must be a day such as 2027-01-31.');
  return text;
}

function rulesOf(rule: string, rules: readonly string[] = []): readonly string[] {
  if (!isRule(rule)) throw new InvalidArgumentError('There is no such rule; --rules lists them.');
  return [...rules, rule];
}

/** Writes an exception for each failing rule and location. @returns a summary sentence */
async function write(base: string, revised: string, options: Arguments): Promise<string> {
  const { exceptions: file, reason, until, rule: rules, place: locations } = options;
  const exists = existsSync(file);
  const { exceptions: _, ...others } = optionsOf(options);
  const result = await compareContracts(base, revised, exists ? optionsOf(options) : others);
  const chosen = result.blocking.filter(
    ({ rule, pointer }) =>
      (rules?.includes(rule) ?? true) && (locations?.some((glob) => globMatches(glob, pointer)) ?? true),
  );
  if (chosen.length === 0) return 'Nothing was accepted: no matching finding blocks the check.\n';
  const entries = exceptionEntries(chosen, reason, until);
  writeFileSync(file, appendEntries(file, exists ? readFileSync(file, 'utf8') : header, entries));
  const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;
  return `${file}: ${count(entries.length, 'exception')} for ${count(chosen.length, 'finding')}.\n`;
}

const header = `# Accepted findings of openapi-contract-diff. Remove them after the next release.
`;

/** Appends entries to the file's text, and keeps its comments. */
function appendEntries(file: string, before: string, entries: readonly string[]): string {
  const settings = new SettingsFile(file, before);
  const empty = settings.value === undefined || settings.value === null;
  const text = before.trimEnd();
  const flow = empty ? text === '[]' : !/^-\s/m.test(text) || text.startsWith('[');
  if (flow)
    throw new CannotCompare(`${file} is not written as a YAML list with a dash for each exception: add to it by hand.`);
  const indent = empty ? '' : ' '.repeat(settings.positionOf([0]).column - 3);
  const lines = entries.join('').trimEnd().split('\n');
  return `${text}\n${lines.map((line) => `${indent}${line}`).join('\n')}\n`;
}
