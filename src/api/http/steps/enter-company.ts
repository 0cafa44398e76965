/** For which company: 400 without a usable `X-Company-Id`, 403 when it is unknown or not the caller's, which look the same. */

import { Problem } from '../../../contract/problem.ts';
import { findMember } from '../../../identity/members/member.ts';
import type { Database } from '../../../platform/db/client.ts';
import { isId } from '../../../product/access/records.ts';
import type { Step } from '../exchange.ts';

export function enterCompany(db: Database): Step {
  return async (exchange) => {
    if (!exchange.path.startsWith('/v1/')) return;
    const header = exchange.headers['x-company-id'];
    if (typeof header !== 'string' || header === '') {
      throw new Problem(400, 'company_id_required', 'The header X-Company-Id is required.');
    }
    if (!isId(header)) throw new Problem(400, 'company_id_invalid', 'The header X-Company-Id must be a UUID.');
    const tenant = db.tenant(header.toLowerCase());
    const member = await findMember(exchange.caller, tenant);
    if (!member) throw new Problem(403, 'company_access_denied', 'This token does not give access to that company.');
    exchange.company = { tenant, member };
    exchange.trail.company_id = tenant.company_id;
  };
}
