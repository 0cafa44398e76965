import { t } from '../../../contract/languages/text.ts';
import { Problem } from '../../../contract/problem.ts';
import { rotateClientKey } from '../../../product/sign-in-connections/client-keys.ts';
import { connectionResponse, lockConnection } from '../../../product/sign-in-connections/sign-in-connections.ts';
import type { Handler } from '../../handler.ts';

export const rotateSignInKey: Handler<'rotateSignInKey'> = async (_, context) => {
  const { tenant, signIn, signInConnection, base_url: baseUrl } = context;
  const { id } = signInConnection;
  const row = await tenant.transaction(async (tx) => {
    const locked = await lockConnection(tx, id);
    if (locked.kind !== 'oidc') throw new Problem(409, 'conflict', t`Only connections with OpenID Connect have keys.`);
    await rotateClientKey(tx, signIn, id);
    return locked;
  });
  return { status: 200, body: await connectionResponse(tenant, row, baseUrl) };
};
