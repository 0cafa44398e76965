/** Builds responses with the requested fields and expansions of collaborators. */
import { hash } from 'node:crypto';
import type { components } from '../../../../generated/api.ts';
import type { Viewer } from '../../../identity/members/member.ts';
import type { Tenant } from '../../../platform/db/tenant.ts';
import type { CollaboratorRow, ListedRow } from '../../access/records.ts';
import {
  collaboratorEtag,
  collaboratorResponse,
  listedResponse,
  partialResponse,
  renderCollaborator,
} from './collaborator-response.ts';
import { type ManagerRow, managerResponse, managersOf } from './manager-response.ts';
import { reportsCounts } from './reports-counts.ts';
import type { RequestedFields } from './requested-fields.ts';

type CollaboratorFields = components['schemas']['CollaboratorFields'];
type ListItem = components['schemas']['CollaboratorListItem'];
type Reader = Viewer & { tenant: Tenant };

export async function listCollaboratorResponses(
  rows: readonly ListedRow[],
  requested: RequestedFields,
  reader: Reader,
): Promise<ListItem[]> {
  if (!requested.fields && !isExpanded(requested)) return rows.map((row) => listedResponse(row, reader));
  const expansionOf = await expansions(rows, requested, reader);
  return rows.map((row) =>
    row.deleted_at
      ? listedResponse(row, reader)
      : { ...fieldsOf(row, requested, reader), ...expansionsResponse(expansionOf(row), reader) },
  );
}

/** One collaborator, with the ETag of the full record, so that `If-Match` works whichever fields were returned. */
export async function readCollaboratorResponse(row: CollaboratorRow, requested: RequestedFields, reader: Reader) {
  if (!requested.fields && !isExpanded(requested)) return renderCollaborator(200, row, reader);
  const ETag = collaboratorEtag(row, reader);
  const body = fieldsOf(row, requested, reader);
  if (!isExpanded(requested)) return { status: 200 as const, headers: { ETag }, body };
  const expansion = (await expansions([row], requested, reader))(row);
  return {
    status: 200 as const,
    headers: { ETag: withExpansionsHash(ETag, expansion) },
    body: { ...body, ...expansionsResponse(expansion, reader) },
  };
}

function isExpanded({ manager, reportsCount }: RequestedFields): boolean {
  return manager || reportsCount;
}

/** Values that `expand` adds to a row. */
interface Expansion {
  manager?: ManagerRow | null;
  reports_count?: number;
}

/** One statement for each kind of expansion, for the whole page. */
async function expansions(
  rows: readonly ListedRow[],
  { manager, reportsCount }: RequestedFields,
  { tenant, member }: Reader,
): Promise<(row: ListedRow) => Expansion> {
  const [managerOf, reportsOf] = await Promise.all([
    manager ? managersOf(tenant, member, rows) : undefined,
    reportsCount ? reportsCounts(tenant, member, rows) : undefined,
  ]);
  return (row) => ({
    ...(managerOf && { manager: managerOf(row) }),
    ...(reportsOf && { reports_count: reportsOf(row) }),
  });
}

function fieldsOf(row: ListedRow, { fields }: RequestedFields, reader: Reader): CollaboratorFields {
  return fields ? partialResponse(row, fields, reader) : collaboratorResponse(row, reader);
}

function expansionsResponse(
  { manager, ...others }: Expansion,
  reader: Reader,
): Pick<CollaboratorFields, 'manager' | 'reports_count'> {
  return manager === undefined ? others : { manager: managerResponse(manager, reader), ...others };
}

/**
 * Appends a hash of the expansions after a dot, since they change without the collaborator. `If-Match` compares only the part
 * before the dot, because a write changes the collaborator alone.
 */
function withExpansionsHash(etag: string, expansion: Expansion): string {
  return `${etag.slice(0, -1)}.${hash('sha1', JSON.stringify(expansion), 'base64url')}"`;
}
