/** Sends a test to an endpoint, and shows its response. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { deliveryQuery, sendTest } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { t } from '../../parts/translate.ts';
import { Attempts } from './deliveries/attempts.tsx';
import { DeliveryBadge } from './deliveries/status-badge.tsx';

interface SendTestProps {
  company: string;
  webhook: string;
  onClose(): void;
}

export function SendTest({ company, webhook, onClose }: SendTestProps) {
  const queries = useQueryClient();
  const {
    mutate,
    data: sent,
    error,
  } = useMutation({
    mutationFn: () => sendTest(company, webhook),
    onSettled: () => queries.invalidateQueries({ queryKey: [company, 'webhooks', webhook] }),
  });
  useEffect(() => mutate(), [mutate]);
  // The API call waits for the test only up to its own limit; poll for slower receivers.
  const { data: delivery } = useQuery({
    ...deliveryQuery(company, webhook, sent?.id ?? ''),
    enabled: sent !== undefined,
  });
  const isOver = delivery && delivery.status !== 'pending' && delivery.status !== 'delivering';
  return (
    <Dialog
      open
      wide
      title={t`Send a test`}
      about={t`Sends the event webhook.test to this endpoint only.`}
      onClose={onClose}
    >
      {error && <Problem error={error} retry={() => mutate()} />}
      {!error && !isOver && <p role="status">{t`Sent. Waiting for the response …`}</p>}
      {isOver && (
        <div role="status">
          <p className="row">
            <DeliveryBadge delivery={delivery} />{' '}
            {delivery.status === 'succeeded' ? t`Delivered.` : t`Delivery failed.`}
          </p>
          <Attempts attempts={delivery.attempts} status={delivery.status} />
        </div>
      )}
      <div className="actions">
        {isOver && <Button onClick={() => mutate()}>{t`Send another`}</Button>}
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </div>
    </Dialog>
  );
}
