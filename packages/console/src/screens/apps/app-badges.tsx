import type { App } from '../../api/apps.ts';
import { Badge } from '../../parts/small.tsx';
import { named, t } from '../../parts/translate.ts';
import { kindNames } from './names.ts';

/** App type, and who can connect it. */
export function AppBadges({ app: { kind, visibility, approved_at: approvedAt } }: { app: App }) {
  return (
    <span className="row">
      <Badge tone="quiet">{named(kindNames, kind)}</Badge>
      {visibility === 'company' && <Badge tone="quiet">{t`for this company`}</Badge>}
      {visibility === 'everyone' && (
        <Badge tone={approvedAt ? 'good' : 'waiting'}>
          {approvedAt ? t`approved for everyone` : t`waiting for approval`}
        </Badge>
      )}
    </span>
  );
}
