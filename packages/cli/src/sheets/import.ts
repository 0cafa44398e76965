/** `import`: uploads a file of people, follows its progress, and prints every error. */
import { basename } from 'node:path';
import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import type { CursorPage, ImportColumn, ImportError, ImportJob } from '../service/responses.ts';
import { type CliContext, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { note, type OutputOptions, print, table } from '../terminal/output.ts';
import { promptConfirmation } from '../terminal/prompt.ts';
import { download } from './download.ts';
import { follow } from './follow.ts';
import { promptAnswers, questionLines } from './questions.ts';
import { contentOf, writableFile } from './user-files.ts';

type ImportErrorPage = CursorPage<ImportError>;

export interface ImportOptions extends ApiOptions, OutputOptions {
  mode?: string;
  matchBy?: string;
  onError?: string;
  emptyCells?: string;
  sheet?: string;
  encoding?: string;
  /** Field by header; null ignores the column. */
  map?: Record<string, string | null>;
  /** Order of day, month, and year in text dates. */
  dateOrder?: string;
  /** Decimal separator of numbers stored as text. */
  decimal?: string;
  /** Whether names with a comma are "last, first". */
  nameOrder?: string;
  /** How to handle mojibake: text decoded with the wrong encoding earlier. */
  garbledText?: string;
  unknownColumns?: string;
  unknownManagers?: string;
  sendInvitations?: boolean;
  dryRun?: boolean;
  /** Id of a dry run to commit, instead of a file. */
  commit?: string;
  errorReport?: string;
  force?: boolean;
}

/** Errors to print; the report and the JSON output have all of them. */
const maxPrintedErrors = 200;
const errorPageSize = 100;
/** The contract's limit for a file. */
export const maxFileBytes = 20 * 1024 * 1024;

/** @throws CliError when any row was not imported, after printing the errors */
export async function importFile(context: CliContext, file: string | undefined, options: ImportOptions): Promise<void> {
  const { commit, errorReport } = options;
  if ((file === undefined) === (commit === undefined)) {
    throw new CliError('pass either a file, or a dry run with --commit', 2);
  }
  if (errorReport !== undefined) await writableFile(context, errorReport, options);
  const form = file === undefined ? undefined : await formOf(context, file, options);
  const api = await openApi(context, options);
  const path = form ? '/v1/collaborators/import' : `/v1/imports/${encodeURIComponent(commit!)}/commit`;
  let job = await runImport(api, path, { form });
  while (!options.json && job.status === 'needs_answers' && isTerminal()) {
    const answers = await promptAnswers(job.questions);
    if (!answers) break;
    job = await runImport(api, `/v1/imports/${job.id}/answers`, { json: { answers } });
  }
  await printResult(context, api, job, options);
  if (!options.json && (await confirmCommit(job))) {
    job = await runImport(api, `/v1/imports/${job.id}/commit`);
    await printResult(context, api, job, options);
  }
  if (job.status === 'failed')
    throw new CliError(errorsExplainFailure(job) ? 'nothing was imported' : job.failure!.message);
  if (job.status === 'needs_answers') throw new CliError('the file has open questions: settle them with these options');
  if (job.status === 'cancelled') throw new CliError('the import was canceled by someone else');
  if (job.error_count > 0) throw new CliError(`errors in the file: ${job.error_count}`);
}

async function formOf(context: CliContext, file: string, options: ImportOptions): Promise<FormData> {
  const form = new FormData();
  const fields = {
    mode: options.mode,
    match_by: options.matchBy,
    on_error: options.onError,
    empty_cells: options.emptyCells,
    sheet: options.sheet,
    encoding: options.encoding,
    mapping: options.map && JSON.stringify(options.map),
    date_order: options.dateOrder,
    decimal: options.decimal,
    name_order: options.nameOrder,
    garbled_text: options.garbledText,
    unknown_columns: options.unknownColumns,
    unknown_managers: options.unknownManagers,
    dry_run: options.dryRun && 'true',
    // Omit it unless requested: users without the right to send invitations may not send this field.
    send_invitations: options.sendInvitations && 'true',
  };
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
  const content = await contentOf(context, file);
  // Check the size here: the service rejects a large file during the upload, and that response may get lost.
  if (content.size > maxFileBytes) throw new CliError(`${file} has more than ${maxFileBytes} bytes: split it`);
  form.append('file', content, basename(file));
  return form;
}

/** Starts the import and follows it to the end. Ctrl-C cancels it. */
function runImport(
  api: Api,
  path: string,
  body: { form?: FormData | undefined; json?: object } = {},
): Promise<ImportJob> {
  return interruptible(async (signal) => {
    // Not aborted by the signal: without its id, a started import can't be canceled.
    const { body: started } = await api.request<ImportJob>('POST', path, body);
    const jobPath = `/v1/imports/${started.id}`;
    const labels = { queued: 'Queued', validating: 'Checking', processing: 'Writing' };
    try {
      signal.throwIfAborted();
      const read = async (signal: AbortSignal) => (await api.request<ImportJob>('GET', jobPath, { signal })).body;
      return await follow(started, labels, read, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      const { counts } = await cancelImport(api, jobPath);
      const written = counts.created + counts.updated;
      throw new CliError(`canceled; rows already written: ${written}`, 130);
    }
  });
}

/** @throws CliError when it had already finished */
async function cancelImport(api: Api, jobPath: string): Promise<ImportJob> {
  return (await api.request<ImportJob>('POST', `${jobPath}/cancel`)).body;
}

async function printResult(context: CliContext, api: Api, job: ImportJob, options: ImportOptions): Promise<void> {
  const errors = await errorsOf(api, job, options.json ? Number.POSITIVE_INFINITY : maxPrintedErrors);
  const rows = errors.map((error) => [
    String(error.row),
    error.column ?? '',
    error.field ?? '',
    withOptionNames(error.message),
  ]);
  const lines = [summary(job), ...questionLines(job.questions), ...reviewLines(job)];
  if (rows.length > 0) lines.push('', table(['ROW', 'COLUMN', 'FIELD', 'ERROR'], rows, ''));
  if (rows.length < job.error_count) lines.push(`… and ${job.error_count - rows.length} more`);
  if (isCommittable(job)) lines.push('', `To import it: ${context.program} import --commit ${job.id}`);
  print(options, { import: job, errors }, lines.join('\n'));
  if (options.errorReport !== undefined) await saveReport(context, job, options.errorReport);
}

/** Points to review before committing: guessed and ignored columns. */
function reviewLines({ dry_run: dryRun, columns, warnings = [] }: ImportJob): string[] {
  const lines: string[] = [];
  const guesses = columns.filter(({ guessed }) => dryRun && guessed);
  if (guesses.length > 0) {
    const cells = guesses.map(({ column, header, field }) => [column, header, field ?? '']);
    lines.push('', 'Detected; committing confirms these:', table(['COLUMN', 'HEADER', 'READ AS'], cells, ''));
  }
  const ignored = columns.filter(({ field }) => dryRun && field === null);
  if (ignored.length > 0) {
    const cells = ignored.map(({ column, header, suggested_field: field }) => [
      column,
      header,
      field ? fieldCommand(header, field) : '',
    ]);
    lines.push('', 'Ignored columns:', table(['COLUMN', 'HEADER', 'TO IMPORT IT'], cells, ''));
  }
  if (warnings.length > 0) {
    const cells = warnings.map(({ column, message }) => [column ?? '', withOptionNames(message)]);
    lines.push('', table(['COLUMN', 'WARNING'], cells, ''));
  }
  return lines;
}

/** The command that creates the suggested custom field for a column. */
function fieldCommand(header: string, { key, type, options }: NonNullable<ImportColumn['suggested_field']>): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const choices = options.map((option) => ` --option ${quoted(`${option.key}=${option.label.default}`)}`);
  return `fields create ${key} --label ${quoted(header)} --type ${type}${choices.join('')}`;
}

/** The service names request fields; replace them with the matching CLI options. */
function withOptionNames(message: string): string {
  const options: Record<string, string> = {
    mapping: '--map',
    date_order: '--date-order',
    decimal: '--decimal',
    name_order: '--name-order',
    garbled_text: '--garbled-text',
    unknown_columns: '--unknown-columns',
    sheet: '--sheet',
    dry_run: '--dry-run',
    encoding: '--encoding',
  };
  return message.replace(/`(\w+)`/g, (quoted, field: string) => options[field] ?? quoted);
}

/** Whether the row errors already explain why the whole file was rejected; then each is printed once. */
function errorsExplainFailure({ failure, error_count: errorCount }: ImportJob): boolean {
  return ['unreadable', 'insufficient_scope'].includes(failure?.reason ?? '') && errorCount > 0;
}

function summary(job: ImportJob): string {
  const { filename, dry_run: dryRun, status, counts, failure } = job;
  const all = Object.entries(counts).filter(([, count]) => count > 0);
  const outcome = all.map(([kind, count]) => `${count} ${kind}`).join(', ') || 'no rows';
  if (status === 'needs_answers') return `${filename} was read, and has open questions.`;
  if (status === 'failed')
    return `${filename} was not imported${errorsExplainFailure(job) ? ':' : `. ${failure!.message}`}`;
  return dryRun
    ? `${filename} was checked, and nothing was written. Expected result: ${outcome}.`
    : `${filename}: ${outcome}.`;
}

async function errorsOf(api: Api, { id, error_count: errorCount }: ImportJob, max: number): Promise<ImportError[]> {
  const errors: ImportError[] = [];
  let cursor: string | null = '';
  while (cursor !== null && errors.length < Math.min(max, errorCount)) {
    const after: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/imports/${id}/errors?limit=${errorPageSize}${after}`;
    const page: ImportErrorPage = (await api.request<ImportErrorPage>('GET', path)).body;
    errors.push(...page.data);
    cursor = page.pagination.nextCursor;
  }
  return errors.slice(0, max);
}

async function saveReport(
  context: CliContext,
  { error_report_url: errorReportUrl }: ImportJob,
  file: string,
): Promise<void> {
  if (errorReportUrl === undefined)
    throw new CliError('the error report has salaries and requires the scope salary:read');
  if (errorReportUrl === null) return note('The import has no errors, so there is no report.');
  await interruptible((signal) => download(errorReportUrl, pathAt(context, file), { signal }));
  note(`Your file with the errors: ${file}`);
}

function isCommittable({ dry_run: dryRun, status, counts }: ImportJob): boolean {
  return dryRun && status.startsWith('completed') && counts.created + counts.updated > 0;
}

function isTerminal(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Prompts only on a terminal; scripts use --commit. */
async function confirmCommit(job: ImportJob): Promise<boolean> {
  if (!isCommittable(job) || !isTerminal()) return false;
  const { created, updated, failed } = job.counts;
  const without = failed > 0 ? ` without the ${failed} that have errors` : '';
  return promptConfirmation(
    `Write these ${created + updated} rows now${without}? [y/N] `,
    process.stdin,
    process.stderr,
  );
}
