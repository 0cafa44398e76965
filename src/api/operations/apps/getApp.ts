import { appView } from '../../../product/apps/apps.ts';
import type { Handler } from '../../handler.ts';

export const getApp: Handler<'getApp'> = async (_, { app }) => ({ status: 200, body: appView(app) });
