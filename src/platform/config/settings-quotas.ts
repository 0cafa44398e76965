/** Default quotas of a company, which `company set-quota` can override. */
import { noMaximum, wholeNumber } from './setting-kinds.ts';

const most = (fallback: number) => wholeNumber(0, noMaximum).default(fallback);

const own = '`company set-quota` sets another limit for a company';

export const quotaSettings = {
  QUOTA_PEOPLE: most(2_000_000).describe(`Maximum collaborators per company, not counting deleted ones. ${own}`),
  QUOTA_STORAGE_MB: most(102_400).describe(
    `Maximum size of a company's files: documents, photos, imports, and exports. ${own}`,
  ),
  QUOTA_OPEN_IMPORTS: most(10).describe(`Maximum unfinished imports per company. ${own}`),
  QUOTA_OPEN_EXPORTS: most(20).describe(`Maximum unfinished exports per company. ${own}`),
  QUOTA_IMPORT_ERRORS: most(500_000).describe(
    `Maximum stored import errors per company. Errors of its oldest imports are removed to make room. ${own}`,
  ),
  QUOTA_WAITING_DELIVERIES: most(1_000_000).describe(
    `Maximum pending webhook deliveries per company. Beyond this, the subscription with most of them is deactivated. ${own}`,
  ),
};
