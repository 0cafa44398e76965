/** Email addresses are unique within a company, in any case, among those who are not deleted. */
import type { TenantTransaction } from '../db/tenant.ts';
import type { FieldError, Problem } from '../errors.ts';

export const takenEmail: FieldError = { code: 'taken', message: 'Another collaborator already uses this address.' };

/** @param except the collaborator who may have it */
export async function isEmailTaken(tx: TenantTransaction, email: string, except: string): Promise<boolean> {
  const other = await tx
    .selectFrom('collaborators')
    .select('id')
    .where((eb) => eb(eb.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('id', '<>', except)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return other !== undefined;
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
