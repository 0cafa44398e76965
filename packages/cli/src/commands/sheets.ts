/** Commands for imports, exports, and documents. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { DownloadOptions } from '../sheets/download-command.ts';
import type { ExportOptions } from '../sheets/export.ts';
import type { ImportOptions } from '../sheets/import.ts';
import type { UndoOptions } from '../sheets/undo.ts';
import type { Place } from '../terminal/context.ts';
import { baseUrl, company, example, force, json } from './shared.ts';

export function sheetCommands(program: Command, place: Place): void {
  importCommand(program, place);
  exportCommand(program, place);
  downloadCommand(program, place);
}

function importCommand(program: Command, place: Place): void {
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
        'delete the people that this import added, within 24 hours; with --dry-run, only say who that is',
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
    .option('--encoding <name>', 'the encoding of a csv file, such as windows-1250; default: detected')
    .option(
      '--map <header=field>',
      'the field of a column, such as hire_date or custom_fields.shirt_size; no field to ignore it; repeat for several',
      mapping,
    )
    .addOption(
      new Option(
        '--date-order <order>',
        'how dates are written that are text: 29/02/2024 is dmy; default: found out, in a dry run only',
      ).choices(['dmy', 'mdy', 'ymd']),
    )
    .addOption(
      new Option('--decimal <sign>', 'the sign before decimals; default: told from other numbers').choices([
        'comma',
        'point',
      ]),
    )
    .addOption(
      new Option('--name-order <order>', 'family_first turns names with a comma; default: where all have one').choices([
        'as_written',
        'family_first',
      ]),
    )
    .addOption(
      new Option('--garbled-text <what>', 'what becomes of letters that were garbled before').choices([
        'keep',
        'repair',
      ]),
    )
    .addOption(
      new Option('--unknown-columns <what>', 'columns that are no field; default: ignored in a dry run only').choices([
        'refuse',
        'ignore',
      ]),
    )
    .addOption(
      new Option('--unknown-managers <what>', 'rows whose manager is not found; default: fail').choices([
        'fail',
        'warn',
      ]),
    )
    .option('--send-invitations', 'invite everyone who is added, by mail')
    .option('--error-report <file>', 'save your file with the errors beside the rows, to correct it')
    .option(...force)
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      `${example(place, 'import people.xlsx --dry-run --map Start=hire_date --map Badge=')}

The exit code is also 1 when the file has errors. Ctrl-C cancels the import.`,
    )
    .action(async (file: string | undefined, options: ImportOptions & UndoOptions) => {
      if (options.undo !== undefined) return (await import('../sheets/undo.ts')).undoImport(place, file, options);
      return (await import('../sheets/import.ts')).importFile(place, file, options);
    });
}

function exportCommand(program: Command, place: Place): void {
  program
    .command('export')
    .description('Exports people of a company to a file: everyone, a selection, or one person.')
    .option('-o, --output <file>', 'the file to write; default: the name that the service suggests')
    .option(...force)
    .addOption(
      new Option('--format <format>', 'default: from the name of the file, else xlsx').choices(['xlsx', 'csv', 'json']),
    )
    .addOption(new Option('--language <language>', 'of headers and file name; default: en').choices(['en', 'pt', 'es']))
    .addOption(
      new Option('--delimiter <sign>', 'of a csv file; semicolon goes with a decimal comma').choices([
        'comma',
        'semicolon',
      ]),
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
    .option(...baseUrl)
    .option(...json)
    .addHelpText('after', example(place, 'export --department Fleet --sort name -o fleet.xlsx'))
    .action(async (options: ExportOptions) => (await import('../sheets/export.ts')).exportFile(place, options));
}

function downloadCommand(program: Command, place: Place): void {
  program
    .command('download')
    .description(
      'Downloads a file: a document, an export that is ready, the errors of an import, or the empty workbook.',
    )
    .addArgument(
      new Argument('<what>', 'which kind of file').choices(['document', 'export', 'import-errors', 'import-template']),
    )
    .argument('[id]', 'id of the document, export or import')
    .option('--collaborator <id>', 'whose document it is')
    .option('-o, --output <file>', 'the file to write; default: the name that the service suggests')
    .option(...force)
    .option(...company)
    .option(...baseUrl)
    .option(...json)
    .addHelpText(
      'after',
      example(
        place,
        'download import-template -o people.xlsx',
        'download document 0199b9a7-2f61-7c08-94d3-6ea5180b7cf2 --collaborator 0199a3c4-51d0-7c1e-8f6a-2b9d4e7f1a30',
      ),
    )
    .action(async (what: string, id: string | undefined, options: DownloadOptions) =>
      (await import('../sheets/download-command.ts')).downloadFile(place, what, id, options),
    );
}

/** `Start=hire_date`; an empty field ignores the column. Splits at the last `=`, because a header may contain one. */
function mapping(value: string, before: Record<string, string | null> = {}): Record<string, string | null> {
  const sign = value.lastIndexOf('=');
  if (sign < 1) throw new InvalidArgumentError('Must be HEADER=FIELD.');
  return { ...before, [value.slice(0, sign)]: value.slice(sign + 1) || null };
}
