/** Shared state of the demo month's steps: the actors, and the actions they take. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { v7 } from 'uuid';
import type { Role } from '../../../src/identity/members/member.ts';
import { auditRow, recordAuditRows } from '../../../src/platform/audit/entry.ts';
import type { Config } from '../../../src/platform/config/config.ts';
import type { Database } from '../../../src/platform/db/client.ts';
import type { Tenant, TenantTransaction } from '../../../src/platform/db/tenant.ts';
import { createFiles, type FilesContext } from '../../../src/platform/files/context.ts';
import { receiveDocument } from '../../../src/platform/files/inspect/receive-file.ts';
import { createMailQueue } from '../../../src/platform/mail/mail-queue.ts';
import { PhotoDecoders } from '../../../src/platform/photos/decoders.ts';
import type { CollaboratorRow } from '../../../src/product/access/records.ts';
import { lockHierarchy } from '../../../src/product/collaborators/fields/hierarchy.ts';
import { setPhoto } from '../../../src/product/collaborators/photo.ts';
import { changeRole } from '../../../src/product/collaborators/role.ts';
import { changeStatuses } from '../../../src/product/collaborators/status.ts';
import { lockCollaborators } from '../../../src/product/collaborators/write/change-collaborator.ts';
import { counted } from '../../../src/product/collaborators/write/collaborator-counts.ts';
import { differences, type ProfileUpdate } from '../../../src/product/collaborators/write/differences.ts';
import { writeMany } from '../../../src/product/collaborators/write/write-many.ts';
import { createQuotas } from '../../../src/product/companies/quotas.ts';
import { addDocument } from '../../../src/product/documents/add-document.ts';
import { listFilename } from '../../../src/product/exports/content/export-request.ts';
import { createExport, createGroupExport } from '../../../src/product/exports/create-export.ts';
import { createImport } from '../../../src/product/imports/create-import.ts';
import { receiveImport } from '../../../src/product/imports/receive-import-file.ts';
import { inviteNow, type Postage } from '../../../src/product/invitations/send-invitation.ts';
import { accounts } from './demo-company.ts';

const pollIntervalMs = 15;
const maxPolls = 2_000;

/** Address reserved for documentation (RFC 5737). */
const browser = {
  ip: '203.0.113.24',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  request_id: null,
};

interface Person {
  id: string;
  user_id: string | null;
}

interface AuditedAction {
  at: Date;
  action: string;
  user_id: string | null;
  target?: { type: string; id: string } | undefined;
  details?: Record<string, unknown> | undefined;
}

export class World {
  readonly db: Database;
  readonly tenant: Tenant;
  readonly config: Config;
  readonly base_url: string;
  readonly files: FilesContext;
  readonly postage: Postage;
  /** The time that current actions are backdated to. */
  at = new Date();
  #auditedActions: AuditedAction[] = [];
  #people = new Map<string, Person>();

  constructor(db: Database, companyId: string, config: Config, baseUrl: string) {
    this.db = db;
    this.tenant = db.tenant(companyId);
    this.config = config;
    this.base_url = baseUrl;
    this.files = createFiles(config, baseUrl);
    this.postage = { mail: createMailQueue(config.encryption_keys), base_url: baseUrl };
  }

  /** Reloads the people, by email. */
  async reloadPeople(): Promise<void> {
    const rows = await this.tenant.selectFrom('collaborators').select(['id', 'email', 'user_id']).execute();
    this.#people = new Map(rows.map(({ email, ...person }) => [email, person]));
  }

  async count(): Promise<number> {
    const all = this.tenant.selectFrom('collaborators').select(({ fn }) => fn.countAll<number>().as('number'));
    return (await all.executeTakeFirstOrThrow()).number;
  }

  person(email: string): Person {
    const found = this.#people.get(email);
    if (!found) throw new Error(`no one has the email address ${email}`);
    return found;
  }

  /** Adds an audit log entry, as operations do. */
  audit(by: Person, action: string, target?: { type: string; id: string }, details?: Record<string, unknown>): void {
    this.#auditedActions.push({ at: this.at, action, user_id: by.user_id, target, details });
  }

  async writeAudit(): Promise<void> {
    const rows = this.#auditedActions.map(({ at, user_id: userId, ...entry }) => {
      const actor = { type: 'user', user_id: userId!, client_id: 'console' } as const;
      const row = auditRow({ ...entry, actor, origin: browser });
      return { ...row, id: v7({ msecs: at.getTime() }), at: at.toISOString() };
    });
    await this.tenant.transaction(async (tx) => recordAuditRows(tx, rows));
  }

  async change(by: Person, email: string, update: ProfileUpdate): Promise<void> {
    const { id } = this.person(email);
    await counted(this.tenant, async (tx) => {
      if (update.manager_id) await lockHierarchy(tx);
      const before = await this.#locked(tx, id);
      await writeMany(tx, by, { additions: [], changes: [{ before, set: differences(before, update, []) }] });
    });
    this.audit(by, 'patchCollaborator', { type: 'collaborator', id }, { fields: Object.keys(update) });
  }

  async #locked(tx: TenantTransaction, id: string): Promise<CollaboratorRow> {
    return (await lockCollaborators(tx, [id])).get(id)!;
  }

  /** Activates people with one bulk request. */
  async activate(by: Person, emails: readonly string[]): Promise<void> {
    const ids = emails.map((email) => this.person(email).id);
    await counted(this.tenant, async (tx) => {
      const rows = await lockCollaborators(tx, ids);
      await changeStatuses(
        tx,
        by,
        [...rows.values()].map((row) => ({ row, to: 'active' })),
      );
    });
    this.audit(by, 'bulkCollaborators', undefined, { mode: 'update', summary: { total: ids.length } });
  }

  async deactivate(by: Person, email: string, reason: string): Promise<void> {
    const { id } = this.person(email);
    await counted(this.tenant, async (tx) => {
      await changeStatuses(tx, by, [{ row: await this.#locked(tx, id), to: 'inactive', reason }]);
    });
    this.audit(by, 'deactivateCollaborator', { type: 'collaborator', id });
  }

  async assign(by: Person, emails: readonly string[], role: Role): Promise<void> {
    for (const email of emails) {
      const { id } = this.person(email);
      await counted(this.tenant, async (tx) => changeRole(tx, by, await this.#locked(tx, id), role));
      this.audit(by, 'assignRole', { type: 'collaborator', id }, { role });
    }
  }

  async invite(by: Person, email: string): Promise<void> {
    const { id } = this.person(email);
    await inviteNow(this.tenant, { ...by, role: 'admin' }, id, this.postage);
    this.audit(by, 'sendInvitation', { type: 'collaborator', id });
  }

  async photos(photos: readonly (readonly [email: string, png: Buffer])[]): Promise<void> {
    const by = this.person('helena.castro@verdelog.example');
    const decoders = new PhotoDecoders();
    for (const [email, bytes] of photos) {
      const { id } = this.person(email);
      await setPhoto(this.tenant, by, id, { bytes, field: 'file' }, { files: this.files, photos: decoders });
      this.audit(by, 'setPhoto', { type: 'collaborator', id });
    }
    decoders.stop();
  }

  async document(by: Person, email: string, type: string, filename: string, pdf: Buffer): Promise<void> {
    const { id } = this.person(email);
    const claimed = { filename, media_type: 'application/pdf' };
    const { company_id: companyId } = this.tenant;
    const file = await receiveDocument(this.files.storage, undefined, companyId, Readable.from([pdf]), claimed);
    const row = await this.tenant.transaction((tx) => addDocument(tx, by, id, { file, type }));
    this.audit(by, 'uploadDocument', { type: 'collaborator', id }, { result_id: row.id });
  }

  /** @returns once the worker has finished it */
  async import(by: Person, filename: string, text: string, options: Parameters<typeof createImport>[3]): Promise<void> {
    const { company_id: companyId } = this.tenant;
    const file = await receiveImport(this.files, companyId, Readable.from([Buffer.from(text)]), { filename });
    const scopes = ['collaborators:write', 'salary:write', 'salary:read'];
    const starter = {
      caller: { user_id: by.user_id!, scopes },
      member: { collaborator_id: by.id, role: 'admin' as const },
    };
    const { id } = await this.tenant.transaction((tx) => createImport(tx, starter, file, options, 10));
    this.audit(by, 'importCollaborators', { type: 'import', id }, { ...options });
    await this.#until(async () => {
      const open = this.tenant.selectFrom('imports').select('id').where('id', '=', id).where('due_at', 'is not', null);
      return (await open.executeTakeFirst()) === undefined;
    });
    await this.reloadPeople();
  }

  /** Exports a list, and a workbook by department. Exports expire after a day, so these are from today. */
  async export(): Promise<void> {
    const by = this.person(accounts.admin);
    const exportContext = {
      caller: { user_id: by.user_id!, scopes: ['collaborators:read', 'exports:read', 'salary:read'] },
      member: { collaborator_id: by.id, role: 'admin' as const },
      tenant: this.tenant,
      files: this.files,
      quotas: createQuotas(this.config.quotas, new Registry()),
      exportLeaseS: this.config.exports.leaseS,
    };
    const list = { kind: 'list', format: 'csv', query: { filters: {}, language: 'en' } } as const;
    await createExport(exportContext, list, listFilename(list));
    this.audit(by, 'exportList', undefined, { format: 'csv' });
    await createGroupExport(exportContext, { language: 'en' });
    this.audit(by, 'exportGroup', undefined, { group_by: 'department' });
  }

  /** Waits until every event is delivered or rejected. */
  async delivered(): Promise<void> {
    await this.#until(async () => {
      const { company_id: companyId } = this.tenant;
      const { rows } = await sql<{ waits: boolean }>`
        select exists (select from events where company_id = ${companyId} and sequence is null)
          or exists (select from deliveries where company_id = ${companyId} and status in ('pending', 'delivering')
            and attempt_count = 0) as waits`.execute(this.tenant.raw);
      return !rows[0]!.waits;
    });
  }

  async #until(condition: () => Promise<boolean>): Promise<void> {
    for (let poll = 0; poll < maxPolls; poll++) {
      if (await condition()) return;
      await sleep(pollIntervalMs);
    }
    throw new Error('the demo company was not created: see the log of the service');
  }
}
