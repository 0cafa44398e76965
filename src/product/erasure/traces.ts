/** Erases other traces of a person: events, stored responses, and queued mails. */
import { sql } from 'kysely';
import type { ResetQueue } from '../../identity/passwords/password-resets.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import type { Mail, MailQueue } from '../../platform/mail/mail-queue.ts';
import { responseContext } from '../../platform/secrets/response-context.ts';
import type { Vault } from '../../platform/secrets/secrets.ts';
import { addressMatcher, mentionsAddress, mentionsName } from './mentions.ts';
import { erasedName } from './values.ts';

export interface Person {
  id: string;
  /** All their addresses, in lower case. */
  addresses: string[];
}

/**
 * Deletes events about the person or with one of their addresses; and those about imports and exports erased as well
 * (`eraseImports`), because file names may contain the name. Events first: the dispatcher locks events until their deliveries
 * exist.
 */
export async function eraseEvents(
  tx: TenantTransaction,
  { id, addresses }: Person,
  companyFiles: boolean,
): Promise<{ events: number; deliveries: number }> {
  const aboutFiles = companyFiles ? ['import.completed', 'import.failed', 'report.created'] : [];
  const { rows } = await sql<{ id: string }>`
    delete from events
    where company_id = ${tx.company_id} and payload is not null and (
      name = any(${aboutFiles}::text[]) or payload::jsonb ->> 'id' = ${id} or payload::jsonb ->> 'collaborator_id' = ${id}
      or ${mentionsAddress(sql`payload`, addresses)})
    returning id`.execute(tx.raw);
  const eventIds = rows.map((row) => row.id);
  const { numDeletedRows } = await tx
    .deleteFrom('deliveries')
    .where('event_id', '=', sql<string>`any(${eventIds}::uuid[])`)
    .executeTakeFirstOrThrow();
  return { events: rows.length, deliveries: Number(numDeletedRows) };
}

/** Receivers' responses to other events may contain an address of the person. */
export async function eraseReceiverResponses(tx: TenantTransaction, { addresses }: Person): Promise<number> {
  const { numAffectedRows } = await sql`
    update attempts set response_excerpt = null, response_headers = null
    where company_id = ${tx.company_id} and exists (
      select from unnest(${addresses}::text[]) as known (address)
      where strpos(lower(coalesce(response_excerpt, '') || coalesce(response_headers::text, '')), address) > 0)`.execute(
    tx.raw,
  );
  return Number(numAffectedRows ?? 0);
}

/** Deletes other people's saved views whose filters contain the person's name or email address. */
export async function eraseSavedViews(tx: TenantTransaction, name: string, { addresses }: Person): Promise<void> {
  const text = sql<string>`(saved_views.name || ' ' || saved_views.filters::text)`;
  const isKnown = name !== erasedName; // otherwise an earlier erasure has deleted them
  await sql`
    delete from saved_views
    where company_id = ${tx.company_id}
      and (${mentionsAddress(text, addresses)} or ${isKnown ? mentionsName(text, name) : sql`false`})`.execute(tx.raw);
}

/**
 * Deletes responses stored for idempotent retries that are about the person; with the company's files, also those that name a
 * file, which may be named after the person. A later retry is executed again.
 */
export async function eraseStoredResponses(
  tx: TenantTransaction,
  vault: Vault,
  { id, addresses }: Person,
  companyFiles: boolean,
): Promise<number> {
  const marks = [id, ...(companyFiles ? ['"filename":'] : [])];
  const mentionsPerson = addressMatcher(addresses);
  const stored = await tx.selectFrom('idempotency_keys').select(['key_hash', 'headers', 'body_encrypted']).execute();
  const matching = stored.filter(({ key_hash: keyHash, headers, body_encrypted: bodyEncrypted }) => {
    const text =
      `${JSON.stringify(headers)}${bodyEncrypted ? vault.open(bodyEncrypted, responseContext(tx.company_id, keyHash)) : ''}`.toLowerCase();
    return marks.some((mark) => text.includes(mark)) || mentionsPerson(text);
  });
  if (matching.length === 0) return 0;
  const keyHashes = matching.map(({ key_hash: keyHash }) => keyHash);
  await tx.deleteFrom('idempotency_keys').where('key_hash', '=', sql<Buffer>`any(${keyHashes}::bytea[])`).execute();
  return matching.length;
}

/**
 * Queued or failed mails to the person. A mail being sent can't be stopped.
 * @param ofCompany limits it to that company's invitations, because the person may have an account elsewhere
 */
export async function eraseMails(
  tx: TenantTransaction,
  queues: { mail: MailQueue; resets: ResetQueue },
  { addresses }: Person,
  ofCompany: string | undefined,
): Promise<number> {
  const { rows } = await sql<{ id: string; identifier: string; payload: unknown }>`
    select j.id::text, t.identifier, j.payload
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier in ('sendMail', 'sendPasswordReset')`.execute(tx.raw);
  const isAddressedToPerson = ({ identifier, payload }: (typeof rows)[number]) => {
    if (identifier === 'sendPasswordReset') {
      return ofCompany === undefined && addresses.includes(queues.resets.open(payload).email.toLowerCase());
    }
    const mail = queues.mail.open(payload);
    return addresses.includes(mail.to.toLowerCase()) && (ofCompany === undefined || companyOf(mail) === ofCompany);
  };
  const ids = rows.filter(isAddressedToPerson).map(({ id }) => id);
  if (ids.length > 0) await sql`select graphile_worker.complete_jobs(${ids}::bigint[])`.execute(tx.raw);
  return ids.length;
}

function companyOf({ values }: Mail): string | undefined {
  return 'company' in values ? values.company : undefined;
}

export interface ErasedFiles {
  rows: number;
  keys: string[];
}

/** Deletes documents, including deleted ones, whose rows still have names and hashes. */
export async function eraseDocuments(tx: TenantTransaction, { id }: Person): Promise<ErasedFiles> {
  const rows = await tx.deleteFrom('documents').where('collaborator_id', '=', id).returning('key').execute();
  return { rows: rows.length, keys: rows.flatMap(({ key }) => key ?? []) };
}

/** Which files contain the person is unknown, so all that have ended are deleted, as they would be some days later. */
export async function eraseImports(tx: TenantTransaction): Promise<ErasedFiles> {
  const rows = await tx.deleteFrom('imports').where('due_at', 'is', null).returning(['key', 'report_key']).execute();
  return {
    rows: rows.length,
    keys: rows.flatMap(({ key, report_key: reportKey }) => [key ?? [], reportKey ?? []].flat()),
  };
}

/** @see eraseImports; a running export notices that its row is gone */
export async function eraseExports(tx: TenantTransaction): Promise<ErasedFiles> {
  const rows = await tx.deleteFrom('exports').returning('key').execute();
  return { rows: rows.length, keys: rows.map(({ key }) => key) };
}
