/** Finds companies with expired invitations. The query spans companies, and runs only in the worker, on its own connection. */
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
