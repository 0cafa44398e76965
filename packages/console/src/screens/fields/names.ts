/** Localized labels of contract names for custom fields. */
import { t } from '../../parts/translate.ts';

export const typeNames = () => ({
  text: t`Text`,
  long_text: t`Long text`,
  number: t`Number`,
  boolean: t`Yes or no`,
  date: t`Date`,
  choice: t`Single choice`,
  multi_choice: t`Multiple choice`,
  email: t`Email address`,
  url: t`Web address`,
  phone: t`Phone`,
});

export const minRoleNames = () => ({
  admin: t`Admins`,
  manager: t`Admins and managers`,
  employee: t`Everyone`,
});

export const settingNames = () => ({
  key: t`Key`,
  type: t`Type`,
  label: t`Label`,
  'label.default': t`Label`,
  description: t`Help text`,
  options: t`Options`,
  required: t`Required`,
  unique: t`Unique`,
  read: t`Who can see values`,
  write: t`Who can change values`,
  sensitive: t`Sensitive`,
});
