import { useQueryClient } from '@tanstack/react-query';
import { type App, rotateAppSecret } from '../../api/apps.ts';
import { SecretPanel } from '../../parts/secrets/secret-panel.tsx';
import { t } from '../../parts/translate.ts';

export function AppSecret({ company, app }: { company: string; app: App }) {
  const queries = useQueryClient();
  return (
    <SecretPanel
      description={t`The app authenticates with it when it requests tokens. It isn't shown again.`}
      overlap={t`The previous secret is still valid for`}
      until={app.previous_secret_expires_at}
      about={t`The current secret stays valid for 24 hours, so that every server of the app can switch. Authorizations stay.`}
      aboutAtOnce={t`All previous secrets are revoked now. The app gets no tokens until it has the new one. Authorizations stay.`}
      doneAtOnce={t`All previous secrets were revoked.`}
      rotate={async (immediately) => {
        const { client_secret: clientSecret, previous_secret_expires_at: previousSecretExpiresAt } =
          await rotateAppSecret(company, app.id, immediately);
        await queries.invalidateQueries({ queryKey: [company, 'apps'] });
        return { secret: clientSecret!, until: previousSecretExpiresAt };
      }}
    />
  );
}
