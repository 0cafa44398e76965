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
import type { Wanted } from './requested-fields.ts';

type Shown = components['schemas']['CollaboratorFields'];
type ListItem = components['schemas']['CollaboratorListItem'];
type Reader = Viewer & { tenant: Tenant };

export async function listCollaboratorResponses(
  rows: readonly ListedRow[],
  wanted: Wanted,
  reader: Reader,
): Promise<ListItem[]> {
  if (!wanted.fields && !isExpanded(wanted)) return rows.map((row) => listedResponse(row, reader));
  const besideOf = await expansions(rows, wanted, reader);
  return rows.map((row) =>
    row.deleted_at
      ? listedResponse(row, reader)
      : { ...fieldsOf(row, wanted, reader), ...expansionsResponse(besideOf(row), reader) },
  );
}

/** One collaborator, with the ETag of the full record, so that `If-Match` works whichever fields were returned. */
export async function readCollaboratorResponse(row: CollaboratorRow, wanted: Wanted, reader: Reader) {
  if (!wanted.fields && !isExpanded(wanted)) return renderCollaborator(200, row, reader);
  const ETag = collaboratorEtag(row, reader);
  const body = fieldsOf(row, wanted, reader);
  if (!isExpanded(wanted)) return { status: 200 as const, headers: { ETag }, body };
  const beside = (await expansions([row], wanted, reader))(row);
  return {
    status: 200 as const,
    headers: { ETag: withExpansionsHash(ETag, beside) },
    body: { ...body, ...expansionsResponse(beside, reader) },
  };
}

function isExpanded({ manager, reportsCount }: Wanted): boolean {
  return manager || reportsCount;
}

/** Values that `expand` adds to a row. */
interface Beside {
  manager?: ManagerRow | null;
  reports_count?: number;
}

/** One statement for each kind of expansion, for the whole page. */
async function expansions(
  rows: readonly ListedRow[],
  { manager, reportsCount }: Wanted,
  { tenant, member }: Reader,
): Promise<(row: ListedRow) => Beside> {
  const [managerOf, reportsOf] = await Promise.all([
    manager ? managersOf(tenant, member, rows) : undefined,
    reportsCount ? reportsCounts(tenant, member, rows) : undefined,
  ]);
  return (row) => ({
    ...(managerOf && { manager: managerOf(row) }),
    ...(reportsOf && { reports_count: reportsOf(row) }),
  });
}

function fieldsOf(row: ListedRow, { fields }: Wanted, reader: Reader): Shown {
  return fields ? partialResponse(row, fields, reader) : collaboratorResponse(row, reader);
}

function expansionsResponse({ manager, ...others }: Beside, reader: Reader): Pick<Shown, 'manager' | 'reports_count'> {
  return manager === undefined ? others : { manager: managerResponse(manager, reader), ...others };
}

/**
 * Appends a hash of the expansions after a dot, since they change without the collaborator. `If-Match` compares only the part
 * before the dot, because a write changes the collaborator alone.
 */
function withExpansionsHash(etag: string, beside: Beside): string {
  return `${etag.slice(0, -1)}.${hash('sha1', JSON.stringify(beside), 'base64url')}"`;
}
