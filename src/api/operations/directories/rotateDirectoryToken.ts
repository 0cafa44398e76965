import { directoryResponse } from '../../../product/directories/directories.ts';
import { rotateToken } from '../../../product/directories/rotate-token.ts';
import type { Handler } from '../../handler.ts';

export const rotateDirectoryToken: Handler<'rotateDirectoryToken'> = async ({ body }, context) => {
  const { tenant, directory, base_url: baseUrl } = context;
  const immediately = body?.immediately ?? false;
  const { row, token } = await tenant.transaction((tx) => rotateToken(tx, directory.id, immediately));
  return { status: 200, body: { ...(await directoryResponse(tenant, row, baseUrl)), token } };
};
