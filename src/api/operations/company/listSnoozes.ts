import { currentSnoozes } from '../../../product/attention/snoozes.ts';
import type { Handler } from '../../handler.ts';

export const listSnoozes: Handler<'listSnoozes'> = async (_request, { tenant }) => ({
  status: 200,
  body: { data: await currentSnoozes(tenant) },
});
