/** The address of the console that an app comes back to when it is tried: added to the app, and taken away again. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeApp, type VersionedApp } from '../../api/apps.ts';
import { try_uri } from '../../api/trial.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { t } from '../../parts/words.ts';

interface TryAddressProps {
  company: string;
  known: VersionedApp;
  /** Whether the app has it. */
  is_ready: boolean;
}

export function TryAddress({ company, known: { app, etag }, is_ready }: TryAddressProps) {
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const others = app.redirect_uris.filter((uri) => uri !== try_uri);
      return changeApp(company, app.id, { redirect_uris: is_ready ? others : [...others, try_uri] }, etag);
    },
    onSuccess: () => setAsking(false),
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'apps'] }),
  });
  const act = is_ready ? t`Remove this redirect URI` : t`Add this redirect URI`;
  const about = is_ready
    ? t`You can't try the app here until you add the redirect URI again.`
    : t`It's added to the app's redirect URIs. There, the console accepts only responses to its own requests.`;
  const is_last = is_ready && app.redirect_uris.length === 1;
  return (
    <>
      <p className="quiet">
        {is_ready ? t`The app redirects to the console:` : t`For this, the app needs a redirect URI of the console:`}{' '}
        <code className="url">{try_uri}</code>
      </p>
      {!is_last && (
        <Button kind={is_ready ? 'plain' : 'primary'} onClick={() => setAsking(true)}>
          {act}
        </Button>
      )}
      <Confirm
        open={asking}
        title={act}
        about={
          app.approved_at === null
            ? about
            : `${about} ${t`The operator's approval ends. People of other companies can't authorize the app until it's approved again.`}`
        }
        act={act}
        busy={isPending}
        error={error}
        onClose={() => setAsking(false)}
        onConfirm={() => mutate()}
      />
    </>
  );
}
