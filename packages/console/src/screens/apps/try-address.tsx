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
  const act = t(is_ready ? 'try.address.remove' : 'try.address.add');
  const about = t(is_ready ? 'try.address.remove.about' : 'try.address.add.about');
  const is_last = is_ready && app.redirect_uris.length === 1;
  return (
    <>
      <p className="quiet">
        {t(is_ready ? 'try.address.has' : 'try.address.needs')} <code className="url">{try_uri}</code>
      </p>
      {!is_last && (
        <Button kind={is_ready ? 'plain' : 'primary'} onClick={() => setAsking(true)}>
          {act}
        </Button>
      )}
      <Confirm
        open={asking}
        title={act}
        about={app.approved_at === null ? about : `${about} ${t('app.change.approval')}`}
        act={act}
        busy={isPending}
        error={error}
        onClose={() => setAsking(false)}
        onConfirm={() => mutate()}
      />
    </>
  );
}
