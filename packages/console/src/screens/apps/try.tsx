/** Test run of an app: goes through its sign-in as its users will, and shows the result of each step. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type App, appQuery } from '../../api/apps.ts';
import { openPopup, WindowClosed } from '../../api/client/popup.ts';
import { redeem, requestAuthorization, tryUri } from '../../api/trial.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { ScopePicker } from '../../parts/fields/scope-picker.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { TrialSteps } from './trial-steps.tsx';
import { TryAddress } from './try-address.tsx';

export function TryApp() {
  useLanguage();
  const { company, app: id } = useParams({ from: '/$company/apps/$app' });
  const { data } = useQuery(appQuery(company, id));
  if (!data) return null;
  const isReady = data.app.redirect_uris.includes(tryUri);
  return (
    <>
      <section className="panel" aria-labelledby="try">
        <h2 id="try">{t`Try it`}</h2>
        <p>
          {data.app.kind === 'public'
            ? t`Sign in to the app as your users will. A window asks you to authorize it. The console uses the token once, shows what the app would see, and revokes the access again.`
            : t`Sign in to the app as your users will. A window asks you to authorize it. You then get terminal commands that exchange the code, because the console doesn't have the secret.`}
        </p>
        <TryAddress company={company} known={data} isReady={isReady} />
      </section>
      {isReady && <Trial company={company} app={data.app} />}
    </>
  );
}

class NoWindow extends Error {
  override name = 'NoWindow';
}

function Trial({ company, app }: { company: string; app: App }) {
  const [scopes, setScopes] = useState<string[]>(app.scopes?.includes('profile') === false ? app.scopes : ['profile']);
  const [installation, setInstallation] = useState(false);
  const { mutate, data, isPending, error } = useMutation({
    mutationFn: async (popup: Window | undefined) => {
      if (!popup) throw new NoWindow();
      const request = { client_id: app.client_id, scopes, installation };
      const response = await requestAuthorization(popup, request).finally(() => popup.close());
      const isRedeemed = app.kind === 'public' && response.code !== null && response.isIssuerValid;
      return {
        response,
        result: isRedeemed ? await redeem(app.client_id, response.code!, response.verifier) : undefined,
      };
    },
  });
  return (
    <section className="panel" aria-labelledby="ask">
      <h2 id="ask">{t`Request authorization`}</h2>
      <ScopePicker
        legend={t`Request these permissions`}
        hint={t`From those that the app can request.`}
        offered={app.scopes}
        value={scopes}
        error={undefined}
        onChange={(chosen) => setScopes(chosen ?? [])}
      />
      {app.kind === 'confidential' && (
        <label className="check">
          <input type="checkbox" checked={installation} onChange={({ target }) => setInstallation(target.checked)} />
          {t`Install it for the company, instead of acting for you`}
        </label>
      )}
      <Button kind="primary" busy={isPending} disabled={scopes.length === 0} onClick={() => mutate(openPopup())}>
        {isPending ? t`Waiting for the other window …` : t`Sign in and authorize`}
      </Button>
      {error instanceof NoWindow && (
        <p className="advice">{t`The browser blocked the window. Allow pop-ups for this page, then try again.`}</p>
      )}
      {error instanceof WindowClosed && <p role="status">{t`The window was closed before the sign-in finished.`}</p>}
      {error && !(error instanceof NoWindow || error instanceof WindowClosed) && <Problem error={error} />}
      {data && !isPending && <TrialSteps company={company} app={app} {...data} />}
    </section>
  );
}
