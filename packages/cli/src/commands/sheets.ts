/** Commands for imports, exports, and documents. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { DownloadOptions } from '../sheets/download-command.ts';
import type { ExportOptions } from '../sheets/export.ts';
import type { ImportOptions } from '../sheets/import.ts';
import type { UndoOptions } from '../sheets/undo.ts';
import type { CliContext } from '../terminal/context.ts';
import { baseUrl, company, example, force, json } from './shared.ts';

export function sheetCommands(program: Command, context: CliContext): void {
  importCommand(program, context);
  exportCommand(program, context);
  downloadCommand(program, context);
}

function importCommand(program: Command, context: CliContext): void {
  program
    .command('import [file]')
    .description('Imports people from a workbook or CSV file, and reports every error by row and column.')
    .option('--dry-run', 'check the file without writing; on a terminal, asks whether to continue')
    .addOption(
      new Option('--commit <id>', 'commit this dry run, instead of sending a file').conflicts([
        'dryRun',
        'mode',
        'matchBy',
        'onError',
        'emptyCells',
        'sheet',
        'encoding',
        'map',
        'dateOrder',
        'decimal',
        'nameOrder',
        'garbledText',
        'unknownColumns',
        'unknownManagers',
        'sendInvitations',
      ]),
    )
    .addOption(
      new Option(
        '--undo <id>',
        'delete the people that this import added, within 24 hours; with --dry-run, only list them',
      ).conflicts([
        'commit',
        'mode',
        'matchBy',
        'onError',
        'emptyCells',
        'sheet',
        'encoding',
        'map',
        'dateOrder',
        'decimal',
        'nameOrder',
        'garbledText',
        'unknownColumns',
        'unknownManagers',
        'sendInvitations',
        'errorReport',
      ]),
    )
    .addOption(
      new Option('--mode <mode>', 'upsert updates existing people; default: create').choices(['create', 'upsert']),
    )
    .addOption(
      new Option(
        '--match-by <field>',
        'field to match existing people by; default: the first one with a value',
      ).choices(['id', 'external_id', 'employee_number', 'email']),
    )
    .addOption(
      new Option(
        '--on-error <what>',
        'continue imports the rows without errors, abort imports none; default: continue',
      ).choices(['continue', 'abort']),
    )
    .addOption(
      new Option('--empty-cells <what>', 'keep or clear existing values for empty cells; default: keep').choices([
        'keep',
        'clear',
      ]),
    )
    .option('--sheet <name>', 'sheet to read; default: Collaborators, otherwise the first')
    .option('--encoding <name>', 'encoding of a CSV file, such as windows-1250; default: detected')
    .option(
      '--map <header=field>',
      'field for a column, such as hire_date or custom_fields.shirt_size; empty to ignore the column; repeatable',
      mapping,
    )
    .addOption(
      new Option(
        '--date-order <order>',
        'order of dates in text cells: 29/02/2024 is dmy; default: detected, in dry runs only',
      ).choices(['dmy', 'mdy', 'ymd']),
    )
    .addOption(
      new Option('--decimal <sign>', 'decimal separator; default: detected from other numbers').choices([
        'comma',
        'point',
      ]),
    )
    .addOption(
      new Option('--name-order <order>', 'family_first reorders names with a comma; default: if all have one').choices([
        'as_written',
        'family_first',
      ]),
    )
    .addOption(new Option('--garbled-text <what>', 'repair or keep garbled letters').choices(['keep', 'repair']))
    .addOption(
      new Option('--unknown-columns <what>', 'columns that match no field; default: ignored in dry runs only').choices([
        'refuse',
        'ignore',
      ]),
    )
    .addOption(
      new Option('--unknown-managers <what>', 'rows with an unknown manager; default: fail').choices(['fail', 'warn']),
    )
    .option('--send-invitations', 'email an invitation to everyone who is added')
    .option('--error-report <file>', 'save your file with the errors beside the rows')
    .option(...force)
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      `${example(context, 'import people.xlsx --dry-run --map Start=hire_date --map Badge=')}

The exit code is also 1 when the file has errors. Ctrl-C cancels the import.`,
    )
    .action(async (file: string | undefined, options: ImportOptions & UndoOptions) => {
      if (options.undo !== undefined) return (await import('../sheets/undo.ts')).undoImport(context, file, options);
      return (await import('../sheets/import.ts')).importFile(context, file, options);
    });
}

function exportCommand(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('Exports people of a company to a file: everyone, a selection, or one person.')
    .option('-o, --output <file>', 'output file; default: the name that the service suggests')
    .option(...force)
    .addOption(
      new Option('--format <format>', 'default: from the file name, otherwise xlsx').choices(['xlsx', 'csv', 'json']),
    )
    .addOption(
      new Option('--language <language>', 'language of headers and file name; default: en').choices(['en', 'pt', 'es']),
    )
    .addOption(
      new Option('--delimiter <sign>', 'delimiter of a CSV file; semicolon uses decimal commas').choices([
        'comma',
        'semicolon',
      ]),
    )
    .addOption(
      new Option('--group-by <field>', 'one sheet per department, location …')
        .choices(['department', 'location', 'position', 'status', 'role', 'manager'])
        .conflicts(['fields', 'updatedSince', 'sort']),
    )
    .addOption(
      new Option('--collaborator <id>', 'export all data of this person').conflicts([
        'groupBy',
        'fields',
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
    .addOption(new Option('--status <status>', 'filter by status').choices(['active', 'inactive', 'pending']))
    .addOption(new Option('--role <role>', 'filter by role').choices(['admin', 'manager', 'employee']))
    .option('--department <name>', 'filter by department')
    .option('--location <name>', 'filter by location')
    .option('--manager <id>', 'filter by manager')
    .option('--search <text>', 'search in name, email, and position')
    .option('--updated-since <time>', 'filter by last change, for example 2026-03-01T00:00:00Z')
    .option('--sort <fields>', 'for example department,-hire_date')
    .option('--fields <fields>', 'only these, for example name,email,custom_fields.badge; default: all')
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText('after', example(context, 'export --department Fleet --sort name -o fleet.xlsx'))
    .action(async (options: ExportOptions) => (await import('../sheets/export.ts')).exportFile(context, options));
}

function downloadCommand(program: Command, context: CliContext): void {
  program
    .command('download')
    .description('Downloads a document, a finished export, the errors of an import, or the import template.')
    .addArgument(
      new Argument('<what>', 'kind of file').choices(['document', 'export', 'import-errors', 'import-template']),
    )
    .argument('[id]', 'ID of the document, export, or import')
    .option('--collaborator <id>', 'collaborator that the document belongs to')
    .option('-o, --output <file>', 'output file; default: the name that the service suggests')
    .option(...force)
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      example(
        context,
        'download import-template -o people.xlsx',
        'download document 0199b9a7-2f61-7c08-94d3-6ea5180b7cf2 --collaborator 0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
      ),
    )
    .action(async (kind: string, id: string | undefined, options: DownloadOptions) =>
      (await import('../sheets/download-command.ts')).downloadFile(context, kind, id, options),
    );
}

/** `Start=hire_date`; an empty field ignores the column. Splits at the last `=`, because a header may contain one. */
function mapping(value: string, before: Record<string, string | null> = {}): Record<string, string | null> {
  const separatorIndex = value.lastIndexOf('=');
  if (separatorIndex < 1) throw new InvalidArgumentError('Must be HEADER=FIELD.');
  return { ...before, [value.slice(0, separatorIndex)]: value.slice(separatorIndex + 1) || null };
}
