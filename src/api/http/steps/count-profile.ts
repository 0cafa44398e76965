/** Of requests for no company, how many a user may send: 429 above that. */

import type { Limits } from '../../../identity/users/sign-in-limits.ts';
import { tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { Step } from '../exchange.ts';

export function countProfile({ profileRequest }: Pick<Limits, 'profileRequest'>): Step {
  const count = async (user_id: string) => {
    const retry_after_s = await profileRequest(user_id);
    if (retry_after_s > 0) throw tooManyRequests({ retry_after_s });
  };
  return ({ company, caller }) => (company ? undefined : count(caller.user_id));
}
