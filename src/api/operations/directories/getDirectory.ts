import { showDirectory } from '../../../product/directories/directories.ts';
import type { Handler } from '../../handler.ts';

export const getDirectory: Handler<'getDirectory'> = async (_, { tenant, directory, base_url: baseUrl }) =>
  showDirectory(tenant, directory, baseUrl);
