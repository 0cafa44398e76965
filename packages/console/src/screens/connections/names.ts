/** Localized labels of contract names. They are functions because the language can change at runtime. */
import { t } from '../../parts/translate.ts';

export const kindNames = () => ({
  person: t`acts for a person`,
  installation: t`installed for the company`,
});
