/** Live deliveries of an endpoint: filters in the URL, virtualized table. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookQuery } from '../../../api/webhooks.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { number } from '../../../parts/format.ts';
import { Empty, Loading } from '../../../parts/small.tsx';
import { t, tn, useLanguage } from '../../../parts/translate.ts';
import { Activate } from '../deactivated.tsx';
import { SendTest } from '../send-test.tsx';
import { DeliveryFilters } from './delivery-filters.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { useLiveDeliveries } from './live-deliveries.ts';
import { SendRange } from './send-range.tsx';

export function Deliveries() {
  useLanguage();
  const { company, webhook } = useParams({ from: '/$company/webhooks/$webhook' });
  const filters = useSearch({ from: '/$company/webhooks/$webhook/' });
  const navigate = useNavigate();
  const [live, setLive] = useState(true);
  const list = useLiveDeliveries(company, webhook, filters, live);
  const isFiltered = Object.keys(filters).length > 0;
  const show = (search: typeof filters) =>
    navigate({ to: '/$company/webhooks/$webhook', params: { company, webhook }, search, replace: true });
  return (
    <section aria-labelledby="deliveries">
      <div className="row spread">
        <h2 id="deliveries">{t`Deliveries`}</h2>
        <DeliveryActions company={company} webhook={webhook} />
      </div>
      <DeliveryFilters company={company} filters={filters} onChange={show} />
      <p className="row">
        <label className="check">
          <input type="checkbox" checked={live} onChange={({ target }) => setLive(target.checked)} />
          {t`Live`}
        </label>
        {list.deliveries && (
          <span className="quiet" role="status">
            {list.hasMore
              ? tn(
                  list.deliveries.length,
                  t`The latest one, more below`,
                  t`The latest ${number(list.deliveries.length)}, more below`,
                )
              : tn(
                  list.deliveries.length,
                  t`${number(list.deliveries.length)} delivery`,
                  t`${number(list.deliveries.length)} deliveries`,
                )}
          </span>
        )}
      </p>
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {!list.deliveries && !list.error && <Loading />}
      {list.deliveries?.length === 0 && <Nothing isFiltered={isFiltered} onClear={() => show({})} />}
      {list.deliveries && list.deliveries.length > 0 && (
        <DeliveryTable company={company} webhook={webhook} deliveries={list.deliveries} onEnd={list.loadMore} />
      )}
    </section>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear(): void }) {
  if (!isFiltered) {
    return (
      <Empty title={t`No deliveries yet`}>
        <p>{t`Send a test, or change something that the endpoint subscribes to. The delivery appears here right away. Deliveries are kept for 30 days.`}</p>
      </Empty>
    );
  }
  return (
    <Empty title={t`No deliveries match these filters`}>
      <Button onClick={onClear}>{t`Clear filters`}</Button>
    </Empty>
  );
}

/** Bulk actions; a disabled endpoint receives nothing. */
function DeliveryActions({ company, webhook: id }: { company: string; webhook: string }) {
  const [openDialog, setOpenDialog] = useState<'range' | 'replay' | 'test'>();
  const { data: webhook } = useQuery(webhookQuery(company, id));
  if (webhook?.status !== 'active') return null;
  const onClose = () => setOpenDialog(undefined);
  return (
    <div className="row">
      <Button onClick={() => setOpenDialog('test')}>{t`Send a test`}</Button>
      <Button onClick={() => setOpenDialog('range')}>{t`Resend a range`}</Button>
      <Button onClick={() => setOpenDialog('replay')}>{t`Send missed events`}</Button>
      {openDialog === 'test' && <SendTest company={company} webhook={id} onClose={onClose} />}
      {openDialog === 'range' && <SendRange company={company} webhook={id} onClose={onClose} />}
      {openDialog === 'replay' && <Activate company={company} webhook={webhook} onClose={onClose} />}
    </div>
  );
}
