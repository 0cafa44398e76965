/** The file of one person: the profile, and, where the format allows, status, documents, and history. */
import { Readable } from 'node:stream';
import type { Language } from '../../../contract/languages/language.ts';
import { type Text, t } from '../../../contract/languages/text.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import { writeCsv } from '../../../platform/sheets/csv/write-csv.ts';
import type { Sheet, SheetColumn } from '../../../platform/sheets/model/sheet.ts';
import type { Cell } from '../../../platform/sheets/model/types.ts';
import { writeJson } from '../../../platform/sheets/write-json.ts';
import { writeWorkbook } from '../../../platform/sheets/xlsx/write-xlsx.ts';
import { type CollaboratorRow, internalColumns } from '../../access/records.ts';
import { csvDelimiter } from '../../collaborators/csv-delimiter.ts';
import { exportProperties } from '../../collaborators/export-mark.ts';
import { collaboratorResponse } from '../../collaborators/responses/collaborator-response.ts';
import { statusResponse } from '../../collaborators/status.ts';
import { type DocumentRow, documentResponse } from '../../documents/document-response.ts';
import type { Content, ContentInput } from './content-input.ts';
import { ExportFailure } from './export-failure.ts';
import type { ExportRequest } from './export-request.ts';
import { fieldHeader, peopleTable } from './export-table.ts';
import { matchingPeople, type Person } from './exported-people.ts';
import { mapped } from './list-content.ts';
import { documentsOf, type HistoryEntry, historyOf } from './person-records.ts';
import { omittedFrom } from './readable-fields.ts';

type Individual = Extract<ExportRequest, { kind: 'individual' }>;
type Status = Awaited<ReturnType<typeof statusResponse>>;

export async function individualContent(
  request: Individual,
  { snapshot, viewer, wrote }: ContentInput,
): Promise<Content> {
  const person = await exportedPerson(snapshot, viewer, request.query.collaborator_id);
  const parts = await partsOf(request, person, snapshot, viewer);
  wrote(1);
  return { rows_total: 1, content: written(request, parts, viewer) };
}

/** @throws ExportFailure if they are deleted or out of reach */
export async function exportedPerson(
  snapshot: TenantSnapshot,
  { member }: Viewer,
  id: string,
): Promise<IndividualPerson> {
  const person = await matchingPeople(snapshot, member, {})
    .select(internalColumns)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!person) throw new ExportFailure(t`The collaborator was deleted, or you may no longer see them.`);
  return person;
}

type IndividualPerson = Person & CollaboratorRow;

interface Parts {
  person: IndividualPerson;
  status: Status;
  /** Without files. Undefined if the caller may not read any. */
  documents: AsyncIterable<ListedDocument[]> | undefined;
  history: AsyncIterable<HistoryEntry[]> | undefined;
}

async function partsOf(
  request: Individual,
  person: IndividualPerson,
  snapshot: TenantSnapshot,
  viewer: Viewer,
): Promise<Parts> {
  const omitted = omittedFrom(request, viewer);
  const documents = documentsOf(snapshot, viewer, person.id);
  const history = historyOf(snapshot, viewer, person.id);
  return {
    person,
    status: await statusResponse(snapshot, person),
    documents: omitted.includes('documents') ? undefined : mapped(documents, (row) => listedDocument(row, viewer)),
    history: omitted.includes('history') ? undefined : history,
  };
}

function written({ format, query }: Individual, parts: Parts, viewer: Viewer): Readable {
  if (format === 'json') {
    return Readable.from(jsonOf(parts, viewer), { objectMode: false, highWaterMark: 65_536 });
  }
  const { language = 'en', delimiter } = query;
  const { columns, cells } = peopleTable(viewer, language);
  const profile = { name: t`Profile`.translate(language), columns, groups: [[cells(parts.person)]] };
  if (format === 'csv') return writeCsv(profile, csvDelimiter(language, delimiter));
  return writeWorkbook([profile, ...otherSheets(parts, viewer, language)], {
    title: parts.person.name,
    properties: exportProperties('individual'),
  });
}

async function* jsonOf({ person, status, documents, history }: Parts, viewer: Viewer): AsyncGenerator<Buffer | string> {
  yield `{"collaborator":${JSON.stringify(collaboratorResponse(person, viewer))},\n"status":${JSON.stringify(status)}`;
  for (const [name, part] of Object.entries({ documents, history })) {
    if (!part) continue;
    yield `,\n"${name}":`;
    yield* writeJson(part);
  }
  yield '}\n';
}

function* otherSheets({ status, documents, history }: Parts, viewer: Viewer, language: Language): Generator<Sheet> {
  const sheet = (name: Text, columns: Columns, groups: Sheet['groups']): Sheet => ({
    name: name.translate(language),
    columns: columns.map(([header, kind]) => ({ header: header.translate(language), kind })),
    groups,
  });
  yield sheet(t`Status`, statusColumns, [[statusCells(status)]]);
  if (documents) yield sheet(t`Documents`, documentColumns, mapped(documents, documentCells));
  // Excel reserves the sheet name `History`.
  if (history) {
    const rows = mapped(history, (entry) => changeRows(entry, viewer, language));
    yield sheet(t`Changes`, changeColumns, flat(rows));
  }
}

type Columns = readonly (readonly [header: Text, kind: SheetColumn['kind']])[];

const statusColumns: Columns = [
  [t`Status`, 'text'],
  [t`Since`, 'datetime'],
  [t`Reason`, 'text'],
  [t`Changed by (user)`, 'text'],
  [t`Invitation`, 'text'],
  [t`Invitation sent at`, 'datetime'],
  [t`Invitation expires at`, 'datetime'],
  [t`Invitations sent`, 'number'],
];

function statusCells({ status, since, reason, changed_by: changedBy, invitation }: Status): Cell[] {
  const { state, sent_at: sentAt, expires_at: expiresAt, send_count: sendCount } = invitation;
  return [status, since, reason, changedBy, state, sentAt, expiresAt, sendCount];
}

const documentColumns: Columns = [
  [t`Name`, 'text'],
  [t`Type`, 'text'],
  [t`Media type`, 'text'],
  [t`Size in bytes`, 'number'],
  [t`Description`, 'text'],
  [t`Uploaded by (user)`, 'text'],
  [t`Uploaded at`, 'datetime'],
  [t`ID`, 'text'],
];

/** Omits links, which are valid for minutes only, while the export is for a day. */
type ListedDocument = Omit<ReturnType<typeof documentResponse>, 'url'>;

export function listedDocument(row: DocumentRow, { files }: Viewer): ListedDocument {
  const { url: _, ...rest } = documentResponse(row, files.links);
  return rest;
}

function documentCells({
  name,
  type,
  media_type: mediaType,
  size,
  description,
  uploaded_by: uploadedBy,
  uploaded_at: uploadedAt,
  id,
}: ListedDocument) {
  return [name, type, mediaType, size, description, uploadedBy, uploadedAt, id];
}

const changeColumns: Columns = [
  [t`Time`, 'datetime'],
  [t`Action`, 'text'],
  [t`Description`, 'text'],
  [t`User`, 'text'],
  [t`App`, 'text'],
  [t`Field`, 'text'],
  [t`From`, 'text'],
  [t`To`, 'text'],
];

/** One row per changed field; one for an entry without fields. */
function changeRows(
  { timestamp, action, description, user_id: userId, actor, installation, changes }: HistoryEntry,
  viewer: Viewer,
  language: Language,
): Cell[][] {
  const entry = [timestamp, action, description, actor?.name ?? userId, installation?.name ?? null];
  if (changes.length === 0) return [entry];
  const hidden = t`(hidden)`.translate(language);
  return changes.map((change) => {
    const field = fieldHeader(change.field, viewer, language);
    if ('redacted' in change) return [...entry, field, hidden, hidden];
    return [...entry, field, cellText(change.from), cellText(change.to)];
  });
}

function cellText(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function* flat<T>(groups: AsyncIterable<T[][]>): AsyncGenerator<T[]> {
  for await (const group of groups) yield group.flat();
}
