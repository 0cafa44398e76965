import { changeCompany } from '../../../product/companies/change-company.ts';
import { showCompany } from '../../../product/companies/company-response.ts';
import type { Handler } from '../../handler.ts';

export const updateCompany: Handler<'updateCompany'> = async ({ body, ifMatch }, { tenant, caller }) => {
  return showCompany(await tenant.transaction((tx) => changeCompany(tx, caller, body, ifMatch)));
};
