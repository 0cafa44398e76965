import { directoryResponse } from '../../../product/directories/directories.ts';
import type { Handler } from '../../handler.ts';

export const getDirectory: Handler<'getDirectory'> = async (_, { tenant, directory, base_url: baseUrl }) => {
  return { status: 200, body: await directoryResponse(tenant, directory, baseUrl) };
};
