import type { components } from '../../../generated/api.ts';
import type { Language } from '../../contract/languages/language.ts';
import { type StoredText, Text } from '../../contract/languages/text.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { conditionParameters } from '../custom-fields/listed-fields.ts';
import { type ExportFilters, type ExportFormat, type GroupBy, mediaTypes } from './content/export-request.ts';
import type { ExportRow } from './find-export.ts';

type ExportJob = components['schemas']['ExportJob'];

const linkLifetimeS = 15 * 60;
const maxFailure = 1_000;
/** The polling interval suggested to clients. */
export const pollIntervalS = 2;

export function exportResponse(row: ExportRow, viewer: Viewer, language: Language): ExportJob {
  const view: ExportJob = {
    id: row.id,
    kind: row.kind,
    format: row.format,
    status: row.status as ExportJob['status'],
    ...requestedFilters(row),
    filename: row.filename,
    row_count: row.row_count,
    size: row.size,
    progress: exportProgress(row),
    failure: failureOf(row, language),
    omitted: row.omitted,
    created_by: row.created_by,
    created_at: row.created_at,
    completed_at: row.completed_at,
    expires_at: row.expires_at,
  };
  if (!canDownload(row, viewer)) return { ...view, restricted_fields: ['url'] };
  return { ...view, url: row.status === 'completed' ? exportLink(row, viewer) : null };
}

function requestedFilters({ query }: ExportRow): Pick<ExportJob, 'filters' | 'group_by'> {
  const { filters = {}, group_by: groupBy = null } = query as { filters?: ExportFilters; group_by?: GroupBy };
  const { custom_fields: custom, ...others } = filters;
  const parameters = Object.entries({ ...others, ...conditionParameters(custom ?? []) });
  return { filters: Object.fromEntries(parameters.map(([name, value]) => [name, String(value)])), group_by: groupBy };
}

/** Failures stored without `failure_said` are only available in English. */
function failureOf(
  { failure_message: failureMessage, failure_said: storedFailure }: ExportRow,
  language: Language,
): string | null {
  return storedFailure ? failureText(Text.from(storedFailure as unknown as StoredText), language) : failureMessage;
}

export function failureText(message: Text, language: Language): string {
  return message.translate(language).slice(0, maxFailure).toWellFormed();
}

export function exportProgress({
  status,
  rows_total: rowsTotal,
  rows_done: rowsDone,
}: ExportRow): ExportJob['progress'] {
  if (status === 'completed') return { rows_total: rowsTotal, rows_done: rowsDone, percent: 100 };
  // At most 99 until the file is stored, even if everyone is written.
  const percent = rowsTotal ? Math.min(99, Math.floor((rowsDone / rowsTotal) * 100)) : 0;
  return { rows_total: rowsTotal, rows_done: rowsDone, percent };
}

export function exportLink({ key, filename, format }: ExportRow, { tenant, files }: Viewer): string {
  const { company_id: companyId } = tenant;
  const mediaType = mediaTypes[format as ExportFormat];
  const file = { company_id: companyId, key, filename, media_type: mediaType, disposition: 'attachment' } as const;
  return files.links.link({ ...file, expiresInS: linkLifetimeS });
}

export function exportLocation({ id }: ExportRow): string {
  return `/v1/exports/${id}`;
}

/** The token needs all scopes that decided the content. For changes of the reader see `export-reader.ts`. */
function canDownload({ scopes }: ExportRow, { caller }: Viewer): boolean {
  return scopes.every((scope) => caller.scopes.includes(scope));
}
