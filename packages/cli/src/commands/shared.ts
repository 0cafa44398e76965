/** Options and help text shared by several commands. */
import { InvalidArgumentError } from 'commander';
import type { CliContext } from '../terminal/context.ts';

export const json = ['--json', 'print JSON'] as const;

export const baseUrl = [
  '--base-url <url>',
  'URL of the service; default: $API_URL, the local service, or the last sign-in',
] as const;

export const company = [
  '--company <id>',
  'ID or company name; default: $COMPANY_ID, the one set with `use`, or the only one',
] as const;

export const force = ['--force', 'replace an existing file'] as const;

/** @param commands without the program name */
export function example({ program }: Pick<CliContext, 'program'>, ...commands: string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples';
  return `\n${title}:\n${commands.map((command) => `  ${program} ${command}`).join('\n')}`;
}

/** Option parser for a decimal integer within these limits. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** Parser for a repeatable `name=value` option; keeps the order. */
export function pair(text: string, before: [string, string][] = []): [string, string][] {
  const separatorIndex = text.indexOf('=');
  if (separatorIndex < 1) throw new InvalidArgumentError('Must be NAME=VALUE.');
  return [...before, [text.slice(0, separatorIndex), text.slice(separatorIndex + 1)]];
}

/** Parser for a repeatable text option. */
export function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}
