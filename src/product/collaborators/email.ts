/** Email addresses are unique within a company, in any case, among those who are not deleted. */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { FieldError, Problem } from '../../contract/problem.ts';
import type { TenantTransaction } from '../../platform/db/tenant.ts';
import { type CollaboratorRow, collaboratorColumns } from '../access/records.ts';

export const takenEmail: FieldError = { code: 'taken', message: 'Another collaborator already uses this address.' };

/** @param except the collaborator who may have it */
export async function isEmailTaken(tx: TenantTransaction, email: string, except?: string): Promise<boolean> {
  const other = await tx
    .selectFrom('collaborators')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .$if(except !== undefined, (query) => query.where('id', '<>', except!))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
}

/** @param emails in lower case */
export function hasOneOf(emails: readonly string[]): Expression<SqlBool> {
  return sql`lower(email) = any(${emails}::text[])`;
}

/** Who has these addresses. @returns ids by address in lower case */
export async function holdersOf(tx: TenantTransaction, emails: readonly string[]): Promise<Map<string, string>> {
  const wanted = emails.map((email) => email.toLowerCase());
  const rows = await tx
    .selectFrom('collaborators')
    .select(['id', 'email'])
    .where(hasOneOf(wanted))
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, email }) => [email.toLowerCase(), id]));
}

/**
 * Locks those who have these addresses, as `lockCollaborators` does.
 * @param emails in lower case
 * @returns rows by address in lower case
 */
export async function lockHolders(
  tx: TenantTransaction,
  emails: readonly string[],
): Promise<Map<string, CollaboratorRow>> {
  const rows = await tx
    .selectFrom('collaborators')
    .select(collaboratorColumns)
    .where(hasOneOf(emails))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Map(rows.map((row) => [row.email.toLowerCase(), row]));
}

/**
 * For the write itself: somebody may have taken the address since it was looked for.
 * @param problem thrown instead of the database's words
 */
export function whenEmailTaken(problem: Problem): (error: unknown) => never {
  return (error) => {
    throw (error as { constraint?: string }).constraint === 'collaborators_email_key' ? problem : error;
  };
}

/** Whether a row was refused because somebody has its address, or is the same user. */
export function isTaken(error: unknown): boolean {
  return ['collaborators_email_key', 'collaborators_user_key'].includes((error as { constraint: string }).constraint);
}
