import { showApp } from '../../../product/apps/apps.ts';
import type { Handler } from '../../handler.ts';

export const getApp: Handler<'getApp'> = async (_, { app }) => showApp(app);
