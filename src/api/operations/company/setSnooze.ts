import { snooze } from '../../../product/attention/snoozes.ts';
import type { Handler } from '../../handler.ts';

export const setSnooze: Handler<'setSnooze'> = async ({ body }, { tenant, caller }) => ({
  status: 200,
  body: await snooze(tenant, caller, body),
});
