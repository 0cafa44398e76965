/** What happens in the company, as it happens: what programs read by `GET /v1/events`. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Refusal } from '../../api/client.ts';
import type { CompanyEvent, EventFilters } from '../../api/events.ts';
import { rightsQuery } from '../../api/who.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Forbidden } from '../../parts/forbidden.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/words.ts';
import { EventWhole } from './event.tsx';
import { EventFilterForm } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { KindOfEvent } from './kind-of-event.tsx';
import { SendSample } from './send-sample.tsx';
import { isFull, type Stream, useEventStream } from './stream.ts';

export function Events() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(rightsQuery(company));
  const [sending, setSending] = useState(false);
  const filters = useSearch({ from: '/$company/events' });
  const may = rights?.has('listEvents');
  return (
    <>
      <Heading
        title={t('events')}
        beside={rights?.has('testWebhook') && <Button onClick={() => setSending(true)}>{t('events.sample')}</Button>}
      />
      <p className="lead">{t('events.lead')}</p>
      {may ? <Live company={company} filters={filters} /> : <Forbidden />}
      {sending && <SendSample company={company} onClose={() => setSending(false)} />}
    </>
  );
}

function Live({ company, filters }: { company: string; filters: EventFilters }) {
  const navigate = useNavigate();
  const [live, setLive] = useState(true);
  const [opened, setOpened] = useState<CompanyEvent>();
  const { stream, error, refetch, forget } = useEventStream(company, filters, live);
  const show = (search: EventFilters) =>
    navigate({ to: '/$company/events', params: { company }, search, replace: true });
  const { position: _, ...narrowing } = filters;
  const beginAnew = () => {
    forget();
    show(narrowing);
  };
  // A position of other filters, or one that somebody mistyped.
  const is_lost = error instanceof Refusal && error.code === 'invalid_cursor';
  return (
    <>
      <EventFilterForm company={company} filters={filters} onChange={show} />
      {filters.event && <KindOfEvent company={company} name={filters.event} />}
      <p className="row">
        <label className="check">
          <input type="checkbox" checked={live} onChange={({ target }) => setLive(target.checked)} />
          {t('live')}
        </label>
        {stream && (
          <span className="quiet" role="status" id="events">
            {t(stream.is_behind ? 'events.count-more' : 'events.count', { count: stream.events.length })}
          </span>
        )}
        {stream?.position && (
          <span className="row quiet">
            {t('events.position')} <CopyButton text={stream.position} what={t('events.position')} />
          </span>
        )}
      </p>
      {error && <Problem error={error} retry={is_lost ? undefined : refetch} />}
      {is_lost && (
        <p className="row">
          <Button kind="primary" onClick={beginAnew}>
            {t('events.begin-anew')}
          </Button>
          {t('events.other-filters')}
        </p>
      )}
      {!stream && !error && <Loading />}
      {stream && <Notices stream={stream} onOn={() => show({ ...filters, position: stream.position ?? '' })} />}
      {stream?.events.length === 0 && !error && <Nothing filters={filters} onClear={() => show({})} />}
      {stream && stream.events.length > 0 && <EventTable events={stream.events} onOpen={setOpened} />}
      {opened && <EventWhole event={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** @param onOn shows what follows what is shown */
function Notices({ stream, onOn }: { stream: Stream; onOn(): void }) {
  const { has_gap, is_cut } = stream;
  return (
    <>
      {isFull(stream) && (
        <p className="row">
          <Button onClick={onOn}>{t('events.go-on')}</Button>
          <span className="quiet">{t('events.full', { count: stream.events.length })}</span>
        </p>
      )}
      {has_gap && <p className="advice">{t('events.gap')}</p>}
      {is_cut && <p className="quiet">{t('events.cut')}</p>}
    </>
  );
}

function Nothing({ filters, onClear }: { filters: EventFilters; onClear(): void }) {
  const is_filtered = Object.keys(filters).length > 0;
  return (
    <Empty title={t(is_filtered ? 'events.no-match' : 'events.none')}>
      <p>{t(is_filtered ? 'events.no-match.more' : 'events.none.more')}</p>
      {is_filtered && <Button onClick={onClear}>{t('filters.clear')}</Button>}
    </Empty>
  );
}
