import { useQueryClient } from '@tanstack/react-query';
import { rotateSecret, type Webhook } from '../../api/webhooks.ts';
import { SecretPanel } from '../../parts/secret-panel.tsx';
import { t } from '../../parts/words.ts';
import { rememberSecret } from './known-secrets.ts';

/** The secret that requests are signed with. */
export function WebhookSecret({ company, webhook }: { company: string; webhook: Webhook }) {
  const queries = useQueryClient();
  return (
    <SecretPanel
      more={t('secret.more')}
      overlap={t('rotate.overlap')}
      until={webhook.previous_secret_expires_at}
      about={t('rotate.about')}
      about_at_once={t('rotate.about-at-once')}
      done_at_once={t('rotate.done-at-once')}
      rotate={async (immediately) => {
        const { secret, previous_secret_expires_at: until } = await rotateSecret(company, webhook.id, immediately);
        rememberSecret(webhook.id, secret);
        await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
        return { secret, until };
      }}
    />
  );
}
