import type { Connection } from '../../api/connections.ts';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';

/** Badge for the app's publisher: this company, the operator, or another company. */
export function ClientOwner({ app: { made_by: madeBy, company_name: companyName } }: Pick<Connection, 'app'>) {
  if (madeBy === 'company') return <Badge tone="good">{t`this company`}</Badge>;
  if (madeBy === 'operator') return <Badge tone="quiet">{t`the operator of the service`}</Badge>;
  return <Badge tone="waiting">{companyName ?? t`another company`}</Badge>;
}
