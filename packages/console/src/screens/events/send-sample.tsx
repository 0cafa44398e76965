/** Sends a test event to a chosen endpoint; the stream itself takes no test events. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { webhooksQuery } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { Loading } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';
import { SendTest } from '../webhooks/send-test.tsx';

export function SendSample({ company, onClose }: { company: string; onClose(): void }) {
  const { data: webhooks, error, refetch } = useQuery(webhooksQuery(company));
  const active = webhooks?.filter(({ status }) => status === 'active');
  const [chosen, setChosen] = useState<string>();
  const [sending, setSending] = useState(false);
  const webhook = chosen ?? active?.[0]?.id;
  if (sending && webhook) return <SendTest company={company} webhook={webhook} onClose={onClose} />;
  return (
    <Dialog
      open
      title={t`Send a test`}
      about={t`Sends the event webhook.test to one endpoint. It isn't about the company, so it doesn't appear in this list.`}
      onClose={onClose}
    >
      {error && <Problem error={error} retry={refetch} />}
      {!active && !error && <Loading />}
      {active?.length === 0 && (
        <p>
          {t`No endpoint is active. Add or enable one:`}{' '}
          <Link to="/$company/webhooks" params={{ company }}>
            {t`Webhooks`}
          </Link>
        </p>
      )}
      {active && active.length > 0 && (
        <label className="field">
          <span>{t`Endpoint`}</span>
          <select value={webhook} onChange={({ target }) => setChosen(target.value)}>
            {active.map(({ id, url }) => (
              <option key={id} value={id}>
                {url}
              </option>
            ))}
          </select>
        </label>
      )}
      <div className="actions">
        <Button onClick={onClose}>{t`Cancel`}</Button>
        <Button kind="primary" disabled={!webhook} onClick={() => setSending(true)}>
          {t`Send`}
        </Button>
      </div>
    </Dialog>
  );
}
