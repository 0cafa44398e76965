import type { Connection } from '../../api/connections.ts';
import { Badge } from '../../parts/small.tsx';
import { t } from '../../parts/words.ts';

/** Who made an app: what others made is told apart. */
export function Maker({ app: { made_by, company_name } }: Pick<Connection, 'app'>) {
  if (made_by === 'company') return <Badge tone="good">{t`this company`}</Badge>;
  if (made_by === 'operator') return <Badge tone="quiet">{t`the operator of the service`}</Badge>;
  return <Badge tone="waiting">{company_name ?? t`another company`}</Badge>;
}
