/** One delivery: request body and headers as sent, and each attempt with its response. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { deliveryQuery, redeliver, webhookQuery } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Confirm } from '../../../parts/dialog.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { Loading, Since, Time } from '../../../parts/small.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryBadge } from './status-badge.tsx';

export function DeliveryScreen() {
  useLanguage();
  const { company, webhook, delivery: id } = useParams({ from: '/$company/webhooks/$webhook/deliveries/$delivery' });
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(company, webhook, id));
  return (
    <section aria-labelledby="delivery">
      <nav aria-label={t`Back to the list`} className="path">
        <Link to="/$company/webhooks/$webhook" params={{ company, webhook }}>
          {t`Deliveries`}
        </Link>
      </nav>
      {error && <Problem error={error} retry={refetch} />}
      {!delivery && !error && <Loading />}
      {delivery && (
        <>
          <div className="row spread">
            <h2 id="delivery">{delivery.event}</h2>
            <div className="row">
              <DeliveryBadge delivery={delivery} />
              <Redeliver company={company} webhook={webhook} delivery={id} status={delivery.status} />
            </div>
          </div>
          <dl className="facts">
            <dt>{t`Created`}</dt>
            <dd>
              <Time at={delivery.created_at} short={false} />
            </dd>
            {delivery.status === 'pending' && delivery.next_attempt_at && (
              <>
                <dt>{t`Next attempt`}</dt>
                <dd>
                  <Since at={delivery.next_attempt_at} />
                </dd>
              </>
            )}
            {delivery.completed_at && (
              <>
                <dt>{t`Finished`}</dt>
                <dd>
                  <Time at={delivery.completed_at} short={false} />
                </dd>
              </>
            )}
            <dt>webhook-id</dt>
            <dd className="row">
              <code>{delivery.event_id}</code>
              <CopyButton text={delivery.event_id} subject="webhook-id" />
            </dd>
          </dl>
          <Attempts attempts={delivery.attempts} status={delivery.status} />
        </>
      )}
    </section>
  );
}

interface RedeliverProps {
  company: string;
  webhook: string;
  delivery: string;
  status: string;
}

function Redeliver({ company, webhook: webhookId, delivery, status }: RedeliverProps) {
  const queries = useQueryClient();
  const [isConfirming, setConfirming] = useState(false);
  const { data: webhook } = useQuery(webhookQuery(company, webhookId));
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => redeliver(company, webhookId, delivery),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [company, 'webhooks', webhookId] });
      setConfirming(false);
    },
  });
  const close = () => {
    reset();
    setConfirming(false);
  };
  return (
    <>
      <Button
        kind="primary"
        disabled={webhook?.status !== 'active' || status === 'delivering'}
        onClick={() => setConfirming(true)}
      >
        {t`Resend`}
      </Button>
      <Confirm
        open={isConfirming}
        title={t`Resend`}
        about={
          status === 'pending'
            ? t`The next attempt is made now instead of at its scheduled time.`
            : t`The same event is sent again with the same webhook-id. Endpoints that deduplicate by ID ignore it.`
        }
        actionLabel={t`Resend now`}
        busy={isPending}
        error={error}
        onClose={close}
        onConfirm={() => mutate()}
      />
    </>
  );
}
