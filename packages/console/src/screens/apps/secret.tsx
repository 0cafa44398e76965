import { useQueryClient } from '@tanstack/react-query';
import { type App, rotateAppSecret } from '../../api/apps.ts';
import { SecretPanel } from '../../parts/secret-panel.tsx';
import { t } from '../../parts/words.ts';

export function AppSecret({ company, app }: { company: string; app: App }) {
  const queries = useQueryClient();
  return (
    <SecretPanel
      more={t('app.secret.more')}
      overlap={t('app.secret.overlap')}
      until={app.previous_secret_expires_at}
      about={t('app.secret.about')}
      about_at_once={t('app.secret.about-at-once')}
      done_at_once={t('app.secret.done-at-once')}
      rotate={async (immediately) => {
        const { client_secret, previous_secret_expires_at } = await rotateAppSecret(company, app.id, immediately);
        await queries.invalidateQueries({ queryKey: [company, 'apps'] });
        return { secret: client_secret!, until: previous_secret_expires_at };
      }}
    />
  );
}
