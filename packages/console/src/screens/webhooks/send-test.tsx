/** Sends a test to an endpoint, and shows what it answered. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { deliveryQuery, sendTest } from '../../api/webhooks.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import { t } from '../../parts/words.ts';
import { Attempts } from './attempts.tsx';
import { DeliveryBadge } from './status-badge.tsx';

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
  // The answer waits for the test as long as it may; a slow receiver is waited for here.
  const { data: delivery } = useQuery({
    ...deliveryQuery(company, webhook, sent?.id ?? ''),
    enabled: sent !== undefined,
  });
  const is_over = delivery && delivery.status !== 'pending' && delivery.status !== 'delivering';
  return (
    <Dialog open wide title={t('test')} about={t('test.about')} onClose={onClose}>
      {error && <Problem error={error} retry={() => mutate()} />}
      {!error && !is_over && <p role="status">{t('test.waiting')}</p>}
      {is_over && (
        <div role="status">
          <p className="row">
            <DeliveryBadge delivery={delivery} /> {t(delivery.status === 'succeeded' ? 'test.good' : 'test.bad')}
          </p>
          <Attempts attempts={delivery.attempts} status={delivery.status} />
        </div>
      )}
      <div className="actions">
        {is_over && <Button onClick={() => mutate()}>{t('test.again')}</Button>}
        <Button kind="primary" onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Dialog>
  );
}
