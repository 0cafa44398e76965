/** Builds the API response of an import. Readers without access to salaries get no values that may contain any. */
import type { components } from '../../../../generated/api.ts';
import type { Language } from '../../../contract/languages/language.ts';
import { type StoredText, Text } from '../../../contract/languages/text.ts';
import { listFromStored, upgradeStored } from '../../../contract/stored.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import { typeByExtension } from '../../../platform/files/inspect/types.ts';
import { seesSalaries } from '../../access/hidden-fields.ts';
import { withoutSalaries } from '../../access/import-salaries.ts';
import { type ImportRow, type ImportStatus, importLocation } from './find-import.ts';
import { questionViews } from './questions.ts';
import type { Preview } from './stored-preview.ts';
import { warningViews } from './warnings.ts';

type ImportJob = components['schemas']['ImportJob'];
type ImportCounts = components['schemas']['ImportCounts'];

const linkLifetimeS = 15 * 60;
export const maxFailure = 1_000;

export function importResponse(row: ImportRow, viewer: Viewer, language: Language): ImportJob {
  const { samples, people } = row.preview as unknown as Preview;
  const job: ImportJob = {
    id: row.id,
    filename: row.filename,
    format: row.format,
    encoding: row.encoding,
    encoding_guess: row.encoding_guess === null ? null : upgradeStored('ImportEncodingGuess', row.encoding_guess),
    size: row.size,
    mode: row.mode,
    match_by: row.match_by,
    dry_run: row.dry_run,
    on_error: row.on_error,
    send_invitations: row.send_invitations,
    empty_cells: row.empty_cells,
    status: row.status as ImportStatus,
    progress: progressOf(row),
    counts: countsOf(row),
    error_count: row.error_count,
    error_report_url: row.report_key && reportLink(row, row.report_key, viewer),
    failure: failureOf(row, language),
    date_order: row.date_order,
    decimal: row.decimal,
    name_order: row.name_order,
    garbled_text: row.garbled_text,
    unknown_columns: row.unknown_columns,
    unknown_managers: row.unknown_managers,
    questions: questionViews(row.questions, language),
    layout: row.layout,
    preview: people,
    header_row: row.header_row,
    columns: listFromStored('ImportColumn', row.columns).map((column) => {
      return { ...column, samples: samples[column.column] ?? [] };
    }),
    warnings: warningViews(row.warnings, language),
    created_by: row.created_by,
    created_at: row.created_at,
    committed_by: row.committed_by,
    committed_at: row.committed_at,
    completed_at: row.completed_at,
    expires_at: row.expires_at,
  };
  return seesSalaries(viewer) ? job : withoutSalaries(job, row.has_salaries);
}

/** The response to a request that continues in the background. */
export function acceptedImport(row: ImportRow, viewer: Viewer & { language(): Language }) {
  const headers = { Location: importLocation(row) };
  return { status: 202 as const, headers, body: importResponse(row, viewer, viewer.language()) };
}

/** Failures stored without `failure_said` are only available in English. */
function failureOf(row: ImportRow, language: Language): ImportJob['failure'] {
  const { failure_reason: failureReason, failure_message: failureMessage, failure_said: storedFailure } = row;
  if (failureReason === null) return null;
  const storedText = storedFailure as unknown as StoredText | null;
  return {
    reason: failureReason,
    message: storedText ? failureText(Text.from(storedText), language) : (failureMessage ?? ''),
  };
}

export function failureText(message: Text, language: Language): string {
  return message.translate(language).replaceAll('\0', '').slice(0, maxFailure).toWellFormed();
}

export function countsOf(row: ImportRow): ImportCounts {
  return {
    created: row.created_count,
    updated: row.updated_count,
    unchanged: row.unchanged_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
  };
}

export function rowsCounted({ created, updated, unchanged, skipped, failed }: ImportCounts): number {
  return created + updated + unchanged + skipped + failed;
}

/** Checking is half of the work, writing the other half; a dry run only checks. */
function progressOf(row: ImportRow): ImportJob['progress'] {
  const { rows_total: rowsTotal, rows_checked: rowsChecked, position, dry_run: dryRun, due_at: dueAt } = row;
  const rowsDone = dryRun ? rowsChecked : rowsCounted(countsOf(row));
  const done = dryRun ? rowsChecked : (rowsChecked + position) / 2;
  const percent = dueAt === null ? 100 : Math.floor((100 * done) / Math.max(rowsTotal ?? 0, 1));
  return { rows_total: rowsTotal, rows_done: rowsDone, percent: Math.min(percent, 100) };
}

/** `people.xlsx` and `people.ods` become `people-errors.xlsx`. */
function reportLink({ filename, format: uploaded }: ImportRow, key: string, { tenant, files }: Viewer): string {
  const stem = filename.replace(/\.(xlsx|xls|xlsb|ods|csv)$/i, '');
  const format = uploaded === 'csv' ? 'csv' : 'xlsx';
  return files.links.link({
    company_id: tenant.company_id,
    key,
    filename: `${stem}-errors.${format}`,
    media_type: typeByExtension(format)!.media_type,
    disposition: 'attachment',
    expiresInS: linkLifetimeS,
  });
}
