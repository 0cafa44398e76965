/**
 * Finds companies with invitations that were not accepted in time. Reads across companies, changes nothing, and is for the
 * worker alone, on its own connection: to ask each company would take as long as there are companies.
 */
import { type AllCompanies, acrossCompanies } from '../../platform/db/across-companies.ts';

export async function companiesWithOverdueInvitations(all: AllCompanies): Promise<string[]> {
  const rows = await acrossCompanies<{ company_id: string }>(
    all,
    'invitations',
    (invitations) =>
      `select company_id from ${invitations} where state = 'sent' and expires_at <= now() group by company_id`,
  );
  return rows.map(({ company_id: companyId }) => companyId);
}
