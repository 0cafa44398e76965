/** Adds or removes the console's redirect URI, which an app needs for test runs. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeApp, type VersionedApp } from '../../api/apps.ts';
import { tryUri } from '../../api/trial.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { t } from '../../parts/translate.ts';

interface TryAddressProps {
  company: string;
  known: VersionedApp;
  /** Whether the app has it. */
  isReady: boolean;
}

export function TryAddress({ company, known: { app, etag }, isReady }: TryAddressProps) {
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const others = app.redirect_uris.filter((uri) => uri !== tryUri);
      return changeApp(company, app.id, { redirect_uris: isReady ? others : [...others, tryUri] }, etag);
    },
    onSuccess: () => setConfirming(false),
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'apps'] }),
  });
  const actionLabel = isReady ? t`Remove this redirect URI` : t`Add this redirect URI`;
  const about = isReady
    ? t`You can't try the app here until you add the redirect URI again.`
    : t`It's added to the app's redirect URIs. There, the console accepts only responses to its own requests.`;
  const isLast = isReady && app.redirect_uris.length === 1;
  return (
    <>
      <p className="quiet">
        {isReady ? t`The app redirects to the console:` : t`For this, the app needs a redirect URI of the console:`}{' '}
        <code className="url">{tryUri}</code>
      </p>
      {!isLast && (
        <Button kind={isReady ? 'plain' : 'primary'} onClick={() => setConfirming(true)}>
          {actionLabel}
        </Button>
      )}
      <Confirm
        open={isConfirming}
        title={actionLabel}
        about={
          app.approved_at === null
            ? about
            : `${about} ${t`The operator's approval ends. People of other companies can't authorize the app until it's approved again.`}`
        }
        actionLabel={actionLabel}
        busy={isPending}
        error={error}
        onClose={() => setConfirming(false)}
        onConfirm={() => mutate()}
      />
    </>
  );
}
