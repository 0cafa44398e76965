/** Every few minutes: announces last days of employment, and deactivates people whose last day is over. */
import type { Task } from 'graphile-worker';
import type { AllCompanies } from '../../platform/db/across-companies.ts';
import type { Database } from '../../platform/db/client.ts';
import type { Logger } from '../../platform/observe/log.ts';
import { companiesWithTerminations } from '../../product/collaborators/due-terminations.ts';
import { endEmployments as endOfCompany } from '../../product/collaborators/end-employments.ts';
import { inEachCompany } from './each-company.ts';

export function endEmployments(db: Database, all: AllCompanies, log: Logger, now?: () => Date): Task {
  return async () => {
    let failure: unknown;
    const due = await companiesWithTerminations(all, now?.());
    const people = await inEachCompany(
      db,
      async (tenant) => {
        try {
          return await endOfCompany(tenant, now?.());
        } catch (error) {
          // An error of one company must not delay the others.
          log.error({ company_id: tenant.company_id, err: error }, 'ends of employment could not be processed');
          failure ??= error;
          return 0;
        }
      },
      due,
    );
    if (people > 0) log.info({ people }, 'ends of employment processed');
    if (failure) throw failure;
  };
}
