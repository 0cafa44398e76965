import { headcountOf } from '../../../product/collaborators/responses/headcount.ts';
import type { Handler } from '../../handler.ts';

export const getHeadcount: Handler<'getHeadcount'> = async (_request, { tenant, member }) => ({
  status: 200,
  body: await headcountOf(tenant, member),
});
