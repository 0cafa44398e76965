/** Of requests for no company, how many a user may send: 429 above that. */

import type { Limits } from '../../../identity/users/sign-in-limits.ts';
import { tooManyRequests } from '../../rate-limit/rate-limit.ts';
import type { Step } from '../exchange.ts';

export function countProfile({ profileRequest }: Pick<Limits, 'profileRequest'>): Step {
  const count = async (userId: string) => {
    const retryAfterS = await profileRequest(userId);
    if (retryAfterS > 0) throw tooManyRequests({ retry_after_s: retryAfterS });
  };
  return ({ company, caller }) => (company ? undefined : count(caller.user_id));
}
