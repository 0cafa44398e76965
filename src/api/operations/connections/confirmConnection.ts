import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { canConfirm, confirmInstallation } from '../../../product/connections/confirm-installation.ts';
import { connectionViews, findConnection, lockConnection } from '../../../product/connections/connections.ts';
import type { Handler } from '../../handler.ts';

export const confirmConnection: Handler<'confirmConnection'> = async (_, { tenant, member, caller, connection }) => {
  if (member.isInstallation) {
    const text = t`An installed app can't confirm an installation.`;
    throw new Problem(403, 'forbidden', text, { details: { reason: 'not_for_installations' } });
  }
  const row = await tenant.transaction(async (tx) => {
    const found = await lockConnection(tx, connection.id);
    if (!found.confirmation_requested_at && !found.suspended_at) return found;
    if (!canConfirm(found, caller.user_id))
      throw new Problem(403, 'forbidden', t`An admin other than the one who installed the app must confirm it.`);
    await confirmInstallation(tx, found, caller.user_id);
    return findConnection(tx, connection.id);
  });
  const [body] = await connectionViews(tenant, [row]);
  return { status: 200, body: body! };
};
