import { adminsByFactor } from '../../../product/companies/admins-by-factor.ts';
import type { Handler } from '../../handler.ts';

export const getSignInSummary: Handler<'getSignInSummary'> = async (_request, { tenant }) => {
  return { status: 200, body: { admins: await adminsByFactor(tenant) } };
};
