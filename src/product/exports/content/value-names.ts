/** Display names of statuses and roles, in file and sheet names. */
import { type Text, t } from '../../../contract/languages/text.ts';

export const statusNames: Readonly<Record<'active' | 'pending' | 'inactive', Text>> = {
  active: t`Active`,
  pending: t`Pending`,
  inactive: t`Inactive`,
};

export const roleNames: Readonly<Record<'admin' | 'manager' | 'employee', Text>> = {
  admin: t`Admin`,
  manager: t`Manager`,
  employee: t`Employee`,
};
