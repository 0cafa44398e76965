/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const outcomeNames = () => ({
  succeeded: t`Delivered`,
  failed: t`Failed`,
  waiting: t`Waiting`,
  cancelled: t`Canceled`,
});
