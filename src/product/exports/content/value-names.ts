/** Display names of statuses and roles, in file and sheet names. */
import { say, type Text } from '../../../contract/languages/text.ts';

export const statusNames: Readonly<Record<'active' | 'pending' | 'inactive', Text>> = {
  active: say`Active`,
  pending: say`Pending`,
  inactive: say`Inactive`,
};

export const roleNames: Readonly<Record<'admin' | 'manager' | 'employee', Text>> = {
  admin: say`Admin`,
  manager: say`Manager`,
  employee: say`Employee`,
};
