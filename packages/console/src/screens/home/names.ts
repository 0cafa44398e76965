/** Names that the contract has, in the reader's words. They are read when they are drawn, as the language may have changed. */
import { t } from '../../parts/words.ts';

export const outcomeNames = () => ({
  succeeded: t`Delivered`,
  failed: t`Failed`,
  waiting: t`Waiting`,
  cancelled: t`Cancelled`,
});
