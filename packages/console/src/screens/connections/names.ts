/** Names that the contract has, in the reader's words. They are read when they are drawn, as the language may have changed. */
import { t } from '../../parts/words.ts';

export const kindNames = () => ({
  person: t`acts for a person`,
  installation: t`installed for the company`,
});
