import { useQueryClient } from '@tanstack/react-query';
import { rotateSecret, type Webhook } from '../../../api/webhooks.ts';
import { SecretPanel } from '../../../parts/secrets/secret-panel.tsx';
import { t } from '../../../parts/translate.ts';
import { rememberSecret } from './known-secrets.ts';

export function WebhookSecret({ company, webhook }: { company: string; webhook: Webhook }) {
  const queries = useQueryClient();
  return (
    <SecretPanel
      description={t`Signs each request, so that your endpoint can verify that it comes from us.`}
      overlap={t`The previous secret is still valid for`}
      until={webhook.previous_secret_expires_at}
      about={t`The current secret stays valid for 24 hours, so that you can switch without missing a request.`}
      aboutAtOnce={t`Requests are signed only with the new secret from now on. Your endpoint rejects them until it has it.`}
      doneAtOnce={t`The previous secret was revoked.`}
      rotate={async (immediately) => {
        const { secret, previous_secret_expires_at: until } = await rotateSecret(company, webhook.id, immediately);
        rememberSecret(webhook.id, secret);
        await queries.invalidateQueries({ queryKey: [company, 'webhooks'] });
        return { secret, until };
      }}
    />
  );
}
