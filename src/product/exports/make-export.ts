/** Reads one consistent snapshot with a cursor, and streams the file into storage with backpressure. */
import { addAbortSignal, Readable } from 'node:stream';
import { sql } from 'kysely';
import { t } from '../../contract/languages/text.ts';
import { actorOfResult } from '../../identity/installations/installation-names.ts';
import type { Viewer } from '../../identity/members/member.ts';
import { recordAudit } from '../../platform/audit/entry.ts';
import { exportDetails } from '../../platform/audit/file-entries.ts';
import type { Tenant, TenantSnapshot } from '../../platform/db/tenant.ts';
import type { FileLinks } from '../../platform/files/links.ts';
import type { Storage } from '../../platform/files/store/storage.ts';
import { fieldReadOfAll, sortedFields } from '../custom-fields/listed-fields.ts';
import { emit } from '../events/emit.ts';
import { contentOf } from './content/export-content.ts';
import { ExportFailure } from './content/export-failure.ts';
import type { ExportFormat, ExportRequest } from './content/export-request.ts';
import { omittedFrom } from './content/readable-fields.ts';
import { type Lease, leaseExport, lostExportError, type Progress, underLease } from './export-lease.ts';
import { reachOf, readerOf } from './export-reader.ts';
import { type ExportRow, exportColumns } from './find-export.ts';

export interface ExportFiles {
  storage: Storage;
  links: FileLinks;
}

/**
 * @param stop interrupts the work, so that another process can take it up
 * @throws ExportFailure for a permanent failure; other errors may be retried
 */
export async function makeExport(
  tenant: Tenant,
  files: ExportFiles,
  row: ExportRow,
  leaseS: number,
  stop?: AbortSignal,
): Promise<ExportRow> {
  const progress: Progress = { rows_total: null, rows_done: 0 };
  const lease = leaseExport(tenant, row, progress, leaseS);
  const signal = stop ? AbortSignal.any([lease.signal, stop]) : lease.signal;
  try {
    const requester = await viewerOf(tenant, row, files.links);
    requireFields(requestOf(row), requester);
    const result = await snapshotFor(tenant, row, async (snapshot) => {
      const viewer = { ...requester, tenant: snapshot };
      const wrote = (people: number) => {
        progress.rows_done += people;
      };
      const { rows_total: rowsTotal, content } = await contentOf(requestOf(row), {
        snapshot,
        viewer,
        storage: files.storage,
        wrote,
      });
      progress.rows_total = rowsTotal;
      const reach = await reachOf(snapshot, viewer.member);
      return { viewer, reach, size: await store(files.storage, row.key, content, lease, signal) };
    });
    return await complete(tenant, row, { ...result, progress });
  } finally {
    lease.release();
  }
}

/** On a replica at first. Long reads there may be canceled, because replication must proceed. */
function snapshotFor<T>(tenant: Tenant, row: ExportRow, work: (snapshot: TenantSnapshot) => Promise<T>): Promise<T> {
  return row.attempts > 1 ? tenant.snapshot(work) : tenant.replicaSnapshot(work);
}

function requestOf({ kind, format, query }: ExportRow): ExportRequest {
  return { kind, format: format as ExportFormat, query } as unknown as ExportRequest;
}

/** The requester's current membership, with the scopes of the request. @throws ExportFailure if they have left */
async function viewerOf(tenant: Tenant, row: ExportRow, links: FileLinks): Promise<Viewer> {
  const member = await readerOf(tenant, row);
  if (!member) throw new ExportFailure(noLongerAllowed);
  return { caller: { scopes: row.scopes }, member, tenant, files: { links } };
}

const noLongerAllowed = t`The person who requested the export can no longer export this.`;

/** Filters and sort orders reveal values. @throws ExportFailure if the requester can't read their fields anymore */
function requireFields({ query }: ExportRequest, requester: Viewer): void {
  if (!('filters' in query)) return;
  const filtered = query.filters.custom_fields?.map(({ key }) => key) ?? [];
  const keys = [...filtered, ...sortedFields('sort' in query ? query.sort : undefined)];
  if (keys.every((key) => fieldReadOfAll(key, requester))) return;
  throw new ExportFailure(
    t`A field that this export is filtered or sorted by was removed, or you may no longer read it. Export again without it.`,
  );
}

async function store(
  storage: Storage,
  key: string,
  content: Readable,
  lease: Lease,
  signal: AbortSignal,
): Promise<number> {
  let size = 0;
  async function* measured() {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      yield chunk;
    }
    lease.check(); // last check before the object exists
  }
  // If the storage fails first, later errors of the content don't matter.
  content.on('error', () => {});
  const source = Readable.from(measured(), { objectMode: false });
  source.on('error', () => {}); // if the storage fails before it reads, the signal still ends this stream
  try {
    await storage.put(key, addAbortSignal(signal, source));
  } finally {
    source.destroy();
    content.destroy();
  }
  return size;
}

async function complete(
  tenant: Tenant,
  row: ExportRow,
  { viewer, reach, size, progress }: { viewer: Viewer; reach: Buffer | null; size: number; progress: Progress },
): Promise<ExportRow> {
  const actor = await actorOfResult(tenant, row.created_by);
  return tenant.transaction(async (tx) => {
    // Their role may have changed meanwhile.
    if ((await readerOf(tx, row))?.role !== viewer.member.role) throw new ExportFailure(noLongerAllowed);
    const completed = await underLease(tx, row)
      .set({
        ...progress,
        size,
        row_count: progress.rows_done,
        omitted: omittedFrom(requestOf(row), viewer),
        role: viewer.member.role,
        reach,
        status: 'completed',
        completed_at: sql`statement_timestamp()`,
        due_at: null,
      })
      .returning(exportColumns)
      .executeTakeFirst();
    if (!completed) throw lostExportError();
    const {
      id,
      kind,
      format,
      filename,
      row_count: rowCount,
      created_by: createdBy,
      completed_at: completedAt,
      expires_at: expiresAt,
    } = completed;
    emit(
      tx,
      'report.created',
      {
        id,
        kind,
        format,
        filename,
        row_count: rowCount!,
        created_by: createdBy,
        created_at: completedAt!,
        expires_at: expiresAt,
      },
      { idempotency_key: `report-${id}` },
    );
    recordAudit(tx, {
      action: 'export.completed',
      actor,
      target: { type: 'export', id },
      details: { kind, format, rows: rowCount, ...exportDetails(completed) },
    });
    return completed;
  });
}
