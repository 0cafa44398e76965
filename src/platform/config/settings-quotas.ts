/** Default quotas of a company, which `company set-quota` can override. */
import { noMaximum, whole } from './setting-kinds.ts';

const most = (fallback: number) => whole(0, noMaximum).default(fallback);

const own = 'a company can have a limit of its own (`company set-quota`)';

export const quotaSettings = {
  QUOTA_PEOPLE: most(2_000_000).describe(`Collaborators of one company, without deleted ones; ${own}`),
  QUOTA_STORAGE_MB: most(102_400).describe(`Files of one company: documents, photos, imports and exports; ${own}`),
  QUOTA_OPEN_IMPORTS: most(10).describe(`Imports of one company that have not ended; ${own}`),
  QUOTA_OPEN_EXPORTS: most(20).describe(`Exports of one company that have not ended; ${own}`),
  QUOTA_IMPORT_ERRORS: most(500_000).describe(
    `Stored errors of all imports of one company; those of its oldest imports make room for new ones; ${own}`,
  ),
  QUOTA_WAITING_DELIVERIES: most(1_000_000).describe(
    'Deliveries of webhooks of one company that wait for an attempt; when there would be more, the subscription with most of ' +
      `them is deactivated; ${own}`,
  ),
};
