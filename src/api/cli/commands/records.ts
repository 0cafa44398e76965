/** Commands for what goes through the API. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Environment } from '../../../platform/config/development.ts';
import type { AuditOptions } from '../audit.ts';
import type { ExportOptions } from '../export.ts';
import type { ImportOptions } from '../import.ts';
import { base_url, example, json } from './shared.ts';

const company = ['--company <id>', 'the company; required if you belong to several'] as const;
const force = ['--force', 'replace an existing file'] as const;

export function sheetCommands(program: Command, environment: Environment): void {
  importCommand(program, environment);
  exportCommand(program, environment);
}

function importCommand(program: Command, environment: Environment): void {
  program
    .command('import [file]')
    .description('Imports the people of a workbook or csv file, and reports every error by row and column.')
    .option('--dry-run', 'check the file and write nothing; on a terminal, asks whether to continue')
    .addOption(
      new Option('--commit <id>', 'import what this dry run checked, instead of sending a file').conflicts([
        'dryRun',
        'mode',
        'matchBy',
        'onError',
        'emptyCells',
        'sheet',
        'encoding',
        'map',
        'dateOrder',
        'sendInvitations',
      ]),
    )
    .addOption(
      new Option('--mode <mode>', 'upsert updates people who exist; default: create').choices(['create', 'upsert']),
    )
    .addOption(
      new Option('--match-by <field>', 'what existing people are found by; default: the first that a row has').choices([
        'id',
        'external_id',
        'employee_number',
        'email',
      ]),
    )
    .addOption(
      new Option('--on-error <what>', 'import the rows without errors, or none; default: continue').choices([
        'continue',
        'abort',
      ]),
    )
    .addOption(
      new Option('--empty-cells <what>', 'what an empty cell does to an existing value; default: keep').choices([
        'keep',
        'clear',
      ]),
    )
    .option('--sheet <name>', 'the sheet to read; default: Collaborators, or the first')
    .option('--encoding <name>', 'the encoding of a csv file, such as windows-1250; default: told from its content')
    .option('--map <header=field>', 'the field of a column, no field to ignore it; repeat for several', mapping)
    .addOption(
      new Option(
        '--date-order <order>',
        'how dates are written that are text: 29/02/2024 is dmy; default: found out, in a dry run only',
      ).choices(['dmy', 'mdy', 'ymd']),
    )
    .option('--send-invitations', 'invite everyone who is added, by mail')
    .option('--error-report <file>', 'save your file with the errors beside the rows, to correct it')
    .option(...force)
    .option(...company)
    .option(...base_url)
    .option(...json)
    .addHelpText(
      'after',
      `${example('import people.xlsx --dry-run --map Start=hire_date --map Badge=')}

The exit code is also 1 when the file has errors. Ctrl-C cancels the import.`,
    )
    .action(async (file: string | undefined, options: ImportOptions) =>
      (await import('../import.ts')).importFile(environment, file, options),
    );
}

function exportCommand(program: Command, environment: Environment): void {
  program
    .command('export')
    .description('Exports people of a company to a file: everyone, a selection, or one person.')
    .option('-o, --output <file>', 'the file to write; default: the name that the service suggests')
    .option(...force)
    .addOption(
      new Option('--format <format>', 'default: from the name of the file, else xlsx').choices(['xlsx', 'csv', 'json']),
    )
    .addOption(
      new Option('--group-by <field>', 'a sheet for each department, location …')
        .choices(['department', 'location', 'position', 'status', 'role', 'manager'])
        .conflicts(['updatedSince', 'sort']),
    )
    .addOption(
      new Option('--collaborator <id>', 'everything about this person').conflicts([
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
    .addOption(
      new Option('--status <status>', 'only people with this status').choices(['active', 'inactive', 'pending']),
    )
    .addOption(new Option('--role <role>', 'only people with this role').choices(['admin', 'manager', 'employee']))
    .option('--department <name>', 'only people in this department')
    .option('--location <name>', 'only people who work there')
    .option('--manager <id>', 'only people who report to this manager')
    .option('--search <text>', 'only people whose name, email or position contains this')
    .option('--updated-since <time>', 'only people changed since then, for example 2026-03-01T00:00:00Z')
    .option('--sort <fields>', 'for example department,-hire_date')
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
    .description('Lists entries of the audit log, newest first: for admins of the company, with the scope audit:read.')
    .option('--limit <number>', 'maximum number of entries', entries, 50)
    .option('--action <name>', 'only this action, for example salary.read or patchCollaborator')
    .option('--actor <id>', 'only actions of this user')
    .option('--target <id>', 'only actions on this record')
    .addOption(new Option('--outcome <outcome>', 'only this outcome').choices(['succeeded', 'refused']))
    .option('--since <time>', 'from this time on, for example 2026-03-01T00:00:00Z')
    .option('--until <time>', 'before this time')
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

/** `Start=hire_date`; nothing after the last `=` ignores the column. The header itself may contain `=`. */
function mapping(value: string, before: Record<string, string | null> = {}): Record<string, string | null> {
  const sign = value.lastIndexOf('=');
  if (sign < 1) throw new InvalidArgumentError('Must be HEADER=FIELD.');
  return { ...before, [value.slice(0, sign)]: value.slice(sign + 1) || null };
}
