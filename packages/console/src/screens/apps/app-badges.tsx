import type { App } from '../../api/apps.ts';
import { Badge } from '../../parts/small.tsx';
import { named, t } from '../../parts/words.ts';

/** Its kind, and who can allow it. */
export function AppBadges({ app: { kind, visibility, approved_at } }: { app: App }) {
  return (
    <span className="row">
      <Badge tone="quiet">{named('app.kind', kind)}</Badge>
      {visibility === 'company' && <Badge tone="quiet">{t('app.for-company')}</Badge>}
      {visibility === 'everyone' && (
        <Badge tone={approved_at ? 'good' : 'waiting'}>{t(approved_at ? 'app.approved' : 'app.not-approved')}</Badge>
      )}
    </span>
  );
}
