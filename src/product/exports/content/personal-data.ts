/**
 * Everything the company stores about a person, for that person (GDPR, articles 15 and 20): an archive that is written while it
 * is read, so that neither a long history nor large documents stay in memory. It identifies other people by id only, and contains
 * only what concerns this company of the person's account.
 */
import { Readable } from 'node:stream';
import { sensitiveScope } from '../../../identity/members/company-fields.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { TenantSnapshot } from '../../../platform/db/tenant.ts';
import { safeName } from '../../../platform/files/inspect/names.ts';
import { writeArchive } from '../../../platform/files/write-archive.ts';
import { writeJson } from '../../../platform/sheets/write-json.ts';
import type { CollaboratorRow } from '../../access/records.ts';
import { notificationPreferences } from '../../collaborators/notifications.ts';
import { collaboratorResponse } from '../../collaborators/responses/collaborator-response.ts';
import { statusResponse } from '../../collaborators/status.ts';
import type { Values } from '../../custom-fields/unique-values.ts';
import type { DocumentRow } from '../../documents/document-response.ts';
import type { Content, ContentInput } from './content-input.ts';
import type { ExportRequest } from './export-request.ts';
import { mapped } from './list-content.ts';
import { exportedPerson, listedDocument } from './person-content.ts';
import { documentsOf, type HistoryEntry, historyOf } from './person-records.ts';
import { readmeOf } from './personal-data-readme.ts';
import { appsOf, auditAbout, auditBy, directoriesOf, invitationsOf, savedViewsOf } from './personal-records.ts';

type PersonalData = Extract<ExportRequest, { kind: 'personal_data' }>;

export async function personalDataContent({ query }: PersonalData, input: ContentInput): Promise<Content> {
  const { snapshot, viewer, wrote } = input;
  const person = await exportedPerson(snapshot, viewer, query.collaborator_id);
  wrote(1);
  return { rows_total: 1, content: writeArchive(filesOf(person, input)) };
}

async function* filesOf(person: CollaboratorRow, { snapshot, viewer, storage }: ContentInput) {
  yield { name: 'README.txt', content: Readable.from([await readmeOf(snapshot, person)]) };
  yield { name: 'profile.json', content: json(profileOf(person, viewer)) };
  yield { name: 'archived-fields.json', content: json(archivedValues(person, viewer)) };
  yield { name: 'status.json', content: json(await statusResponse(snapshot, person)) };
  yield { name: 'notifications.json', content: json(await notificationPreferences(snapshot, person.id)) };
  yield { name: 'saved-views.json', content: json(await savedViewsOf(snapshot, person.id)) };
  yield { name: 'invitations.json', content: json(await invitationsOf(snapshot, person.id)) };
  yield { name: 'directories.json', content: json(await directoriesOf(snapshot, person.id)) };
  yield { name: 'account.json', content: json(await accountOf(snapshot, person)) };
  yield { name: 'history.json', content: jsonList(mapped(historyOf(snapshot, viewer, person.id), withoutActor)) };
  yield { name: 'audit-about.json', content: jsonList(auditAbout(snapshot, person)) };
  if (person.user_id) yield { name: 'audit-by.json', content: jsonList(auditBy(snapshot, person.user_id)) };
  if (person.avatar_key) yield { name: 'photo.webp', content: await storage.read(person.avatar_key) };
  const documents = mapped(documentsOf(snapshot, viewer, person.id), (row) => withFile(row, viewer));
  yield { name: 'documents.json', content: jsonList(documents) };
  for await (const rows of documentsOf(snapshot, viewer, person.id)) {
    for (const row of rows) if (row.key) yield { name: fileOf(row), content: await storage.read(row.key) };
  }
}

/** Omits the photo's link, which expires after a day: the archive contains the photo. */
function profileOf(person: Parameters<typeof collaboratorResponse>[0], viewer: Viewer) {
  const { avatar_url: _, ...profile } = collaboratorResponse(person, viewer);
  return profile;
}

/** Values of archived custom fields by key, which are stored but shown nowhere else. */
function archivedValues({ custom_fields: stored }: CollaboratorRow, { caller, member }: Viewer) {
  const values = (stored ?? {}) as Values;
  const seesSensitive = caller.scopes.includes(sensitiveScope);
  const fields =
    member.fields?.all.filter(({ archived, sensitive }) => archived && (seesSensitive || !sensitive)) ?? [];
  return Object.fromEntries(fields.flatMap(({ key }) => (values[key] === undefined ? [] : [[key, values[key]]])));
}

/** The names of others are not about this person. */
function withoutActor({ actor: _, ...entry }: HistoryEntry) {
  return entry;
}

function withFile(row: DocumentRow, viewer: Viewer) {
  return { ...listedDocument(row, viewer), file: row.key ? fileOf(row) : null };
}

/** The id makes the name unique. The limit of a file name includes it. */
function fileOf({ id, name }: DocumentRow): string {
  return `documents/${safeName(`${id}-${safeName(name)}`)}`;
}

async function accountOf(snapshot: TenantSnapshot, { user_id: userId, accepted_at: acceptedAt }: CollaboratorRow) {
  if (!userId) return null;
  return { user_id: userId, accepted_at: acceptedAt, apps: await appsOf(snapshot, userId) };
}

function json(value: unknown): Readable {
  return Readable.from([`${JSON.stringify(value, null, 2)}\n`]);
}

function jsonList(groups: AsyncIterable<object[]>): Readable {
  return Readable.from(writeJson(groups), { objectMode: false, highWaterMark: 65_536 });
}
