/** Live events of the company, from `GET /v1/events`. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client/client.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import type { CompanyEvent, EventFilters } from '../../api/events.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';
import { EventDetails } from './event.tsx';
import { EventFilterForm } from './event-filters.tsx';
import { EventTable } from './event-table.tsx';
import { KindOfEvent } from './kind-of-event.tsx';
import { SendSample } from './send-sample.tsx';
import { isFull, type Stream, useEventStream } from './stream.ts';

export function Events() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const [sending, setSending] = useState(false);
  const filters = useSearch({ from: '/$company/events' });
  const may = rights?.has('listEvents');
  return (
    <>
      <Heading
        title={t`Events`}
        aside={rights?.has('testWebhook') && <Button onClick={() => setSending(true)}>{t`Send a test`}</Button>}
      />
      <p className="lead">{t`The company's events as they happen. Webhook endpoints receive them, and programs read them with GET /v1/events.`}</p>
      {may ? <Live company={company} filters={filters} /> : <Forbidden />}
      {sending && <SendSample company={company} onClose={() => setSending(false)} />}
    </>
  );
}

function Live({ company, filters }: { company: string; filters: EventFilters }) {
  const navigate = useNavigate();
  const [live, setLive] = useState(true);
  const [opened, setOpened] = useState<CompanyEvent>();
  const { stream, error, refetch, reset } = useEventStream(company, filters, live);
  const show = (search: EventFilters) =>
    navigate({ to: '/$company/events', params: { company }, search, replace: true });
  const { position: _, ...otherFilters } = filters;
  const restart = () => {
    reset();
    show(otherFilters);
  };
  // A position of other filters, or a mistyped one.
  const isCursorInvalid = error instanceof ApiError && error.code === 'invalid_cursor';
  return (
    <>
      <EventFilterForm company={company} filters={filters} onChange={show} />
      {filters.event && <KindOfEvent company={company} name={filters.event} />}
      <p className="row">
        <label className="check">
          <input type="checkbox" checked={live} onChange={({ target }) => setLive(target.checked)} />
          {t`Live`}
        </label>
        {stream && (
          <span className="quiet" role="status" id="events">
            {stream.hasMore
              ? tn(
                  stream.events.length,
                  t`${number(stream.events.length)} event, loading more …`,
                  t`${number(stream.events.length)} events, loading more …`,
                )
              : stream.events.length === 0
                ? t`No events`
                : tn(
                    stream.events.length,
                    t`${number(stream.events.length)} event`,
                    t`${number(stream.events.length)} events`,
                  )}
          </span>
        )}
        {stream?.position && (
          <span className="row quiet">
            {t`Position after the latest event`}{' '}
            <CopyButton text={stream.position} subject={t`Position after the latest event`} />
          </span>
        )}
      </p>
      {error && <Problem error={error} retry={isCursorInvalid ? undefined : refetch} />}
      {isCursorInvalid && (
        <p className="row">
          <Button kind="primary" onClick={restart}>
            {t`Start with the latest`}
          </Button>
          {t`A position is valid only with the filters it was read with.`}
        </p>
      )}
      {!stream && !error && <Loading />}
      {stream && <Notices stream={stream} onOn={() => show({ ...filters, position: stream.position ?? '' })} />}
      {stream?.events.length === 0 && !error && <Nothing filters={filters} onClear={() => show({})} />}
      {stream && stream.events.length > 0 && <EventTable events={stream.events} onOpen={setOpened} />}
      {opened && <EventDetails event={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** @param onOn loads the next events */
function Notices({ stream, onOn }: { stream: Stream; onOn(): void }) {
  const { has_gap: hasGap, isTruncated } = stream;
  return (
    <>
      {isFull(stream) && (
        <p className="row">
          <Button onClick={onOn}>{t`Show more`}</Button>
          <span className="quiet">{t`Showing ${number(stream.events.length)} events. There are more.`}</span>
        </p>
      )}
      {hasGap && (
        <p className="advice">{t`Some events after this position have expired: events are kept for 30 days. Read the records themselves to catch up.`}</p>
      )}
      {isTruncated && <p className="quiet">{t`Showing the latest 2,000. Narrow the filters to see earlier ones.`}</p>}
    </>
  );
}

function Nothing({ filters, onClear }: { filters: EventFilters; onClear(): void }) {
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Empty title={isFiltered ? t`No events match so far` : t`No events in the last 30 days`}>
      <p>
        {isFiltered
          ? t`Matching events appear here as soon as they happen.`
          : t`Change something, for example a person. The event appears here right away.`}
      </p>
      {isFiltered && <Button onClick={onClear}>{t`Clear filters`}</Button>}
    </Empty>
  );
}
