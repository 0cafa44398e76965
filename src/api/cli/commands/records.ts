/** Commands for what goes through the API. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import type { AuditOptions } from '../audit.ts';
import type { ExportOptions } from '../export.ts';
import type { ImportOptions } from '../import.ts';
import { base_url, example, json } from './shared.ts';

const company = ['--company <id>', 'the company; needed by who is in several'] as const;
const force = ['--force', 'replace a file that is there already'] as const;

export function sheetCommands(program: Command, environment: Environment): void {
  importCommand(program, environment);
  exportCommand(program, environment);
}

function importCommand(program: Command, environment: Environment): void {
  program
    .command('import [file]')
    .description('Adds or changes the people of a workbook or csv file, and tells every error by row and column.')
    .option('--dry-run', 'check the file and write nothing; on a terminal, asks whether to go on')
    .addOption(
      new Option('--commit <id>', 'carry out this dry run, instead of sending a file').conflicts([
        'dryRun',
        'mode',
        'onError',
        'emptyCells',
        'sheet',
        'map',
        'sendInvitations',
      ]),
    )
    .addOption(
      new Option('--mode <mode>', 'upsert changes who is there already, by email; default: create').choices([
        'create',
        'upsert',
      ]),
    )
    .addOption(
      new Option('--on-error <what>', 'take the rows without errors, or none; default: continue').choices([
        'continue',
        'abort',
      ]),
    )
    .addOption(
      new Option('--empty-cells <what>', 'what an empty cell does to who is there; default: keep').choices([
        'keep',
        'clear',
      ]),
    )
    .option('--sheet <name>', 'the sheet to read; default: Collaborators, or the first')
    .option('--map <header=field>', 'which field a column is, none to leave it out; repeat for several', mapping)
    .option('--send-invitations', 'invite everyone who is added, by mail')
    .option('--error-report <file>', 'save the file with its errors beside the rows, to be mended')
    .option(...force)
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText(
      'after',
      `${example('import people.xlsx --dry-run --map Start=hire_date --map Badge=')}

The exit code is 1 as well when the file has errors. Ctrl-C cancels the import.`,
    )
    .action(async (file: string | undefined, options: ImportOptions) =>
      (await import('../import.ts')).importFile(environment, file, options),
    );
}

function exportCommand(program: Command, environment: Environment): void {
  program
    .command('export')
    .description('Saves the people of a company, a part of them, or one of them as a file.')
    .option('-o, --output <file>', 'where to; default: the name that the service gives it')
    .option(...force)
    .addOption(
      new Option('--format <format>', 'default: as the name of the file says, else xlsx').choices([
        'xlsx',
        'csv',
        'json',
      ]),
    )
    .addOption(
      new Option('--group-by <field>', 'a sheet for each department, location …')
        .choices(['department', 'location', 'position', 'status', 'role', 'manager'])
        .conflicts(['updatedSince', 'sort']),
    )
    .addOption(
      new Option('--collaborator <id>', 'everything about this one').conflicts([
        'groupBy',
        'status',
        'role',
        'department',
        'location',
        'manager',
        'search',
        'updatedSince',
        'sort',
      ]),
    )
    .addOption(new Option('--status <status>', 'only who is this').choices(['active', 'inactive', 'pending']))
    .addOption(new Option('--role <role>', 'only who is this').choices(['admin', 'manager', 'employee']))
    .option('--department <name>', 'only who is in it')
    .option('--location <name>', 'only who works there')
    .option('--manager <id>', 'only who reports to them')
    .option('--search <text>', 'only whose name, email or position has it')
    .option('--updated-since <time>', 'only who has changed since, as 2026-03-01T00:00:00Z')
    .option('--sort <fields>', 'as department,-hire_date')
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText('after', example('export --department Fleet --sort name -o fleet.xlsx'))
    .action(async (options: ExportOptions) => (await import('../export.ts')).exportFile(environment, options));
}

export function auditCommands(program: Command, environment: Environment): void {
  const audit = program
    .command('audit')
    .description('Shows who did what in a company.')
    .addHelpText('after', example('audit list'));
  audit
    .command('list')
    .description(
      'Lists entries of the audit log, the newest first: for admins of the company, with the scope audit:read.',
    )
    .option('--limit <number>', 'how many at most', entries, 50)
    .option('--action <name>', 'only this, as salary.read or patchCollaborator')
    .option('--actor <id>', 'only what this user did')
    .option('--target <id>', 'only what was done to this record')
    .addOption(new Option('--outcome <outcome>', 'only what went so').choices(['succeeded', 'refused']))
    .option('--since <time>', 'from then on, as 2026-03-01T00:00:00Z')
    .option('--until <time>', 'before then')
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText('after', example('audit list --action salary.read --since 2026-03-01T00:00:00Z'))
    .action(async (options: AuditOptions) => (await import('../audit.ts')).list(environment, options));
}

function entries(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 10_000) {
    throw new InvalidArgumentError('Must be a whole number from 1 to 10000.');
  }
  return value;
}

/** `Start=hire_date`; nothing behind the sign leaves the column out. A header may have the sign in it as well. */
function mapping(value: string, before: Record<string, string | null> = {}): Record<string, string | null> {
  const sign = value.lastIndexOf('=');
  if (sign < 1) throw new InvalidArgumentError('Must be a header, the sign =, and a field.');
  return { ...before, [value.slice(0, sign)]: value.slice(sign + 1) || null };
}
