import { readCompany, showCompany } from '../../../product/companies/company-response.ts';
import type { Handler } from '../../handler.ts';

export const getCompany: Handler<'getCompany'> = async (_request, { tenant }) => showCompany(await readCompany(tenant));
