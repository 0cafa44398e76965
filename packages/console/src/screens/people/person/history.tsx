/** A person's history, newest first, with changes. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type CustomField, customFieldsQuery } from '../../../api/custom-fields.ts';
import { type HistoryEntry, historyPage } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { Hidden } from '../../../parts/hidden.tsx';
import { Empty, Loading, Time } from '../../../parts/small.tsx';
import { named, t, useLanguage } from '../../../parts/translate.ts';
import { historyActionNames } from '../names.ts';
import { PersonName } from '../person-name.tsx';
import { customFieldOf, fieldLabel, formatValue } from './change-messages.ts';

export function History() {
  useLanguage();
  const { company, person: id } = useParams({ from: '/$company/people/$person' });
  const list = useInfiniteQuery({
    queryKey: [company, 'people', id, 'history'],
    queryFn: ({ pageParam }) => historyPage(company, id, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const entries = list.data?.pages.flatMap(({ data }) => data);
  return (
    <section className="panel" aria-labelledby="history">
      <h2 id="history">{t`History`}</h2>
      {list.error && <Problem error={list.error} retry={list.refetch} />}
      {!entries && !list.error && <Loading />}
      {entries?.length === 0 && <Empty title={t`No changes yet`} />}
      <ol className="timeline">
        {entries?.map((entry) => (
          <Entry key={entry.id} company={company} entry={entry} />
        ))}
      </ol>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
          {t`Show earlier entries`}
        </Button>
      )}
    </section>
  );
}

/** Shows people by name. */
function Value({ company, field, value }: { company: string; field: string; value: unknown }) {
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  if (field === 'manager_id' && typeof value === 'string') return <PersonName company={company} id={value} />;
  return formatValue(field, value, custom) ?? '–';
}

/** The actor's name, if the reader may see it. */
function DoneBy({
  company,
  entry: { actor, installation, directory, user_id: userId },
}: {
  company: string;
  entry: HistoryEntry;
}) {
  if (directory) return <span className="quiet">{directory.name}</span>;
  if (installation) return <span className="quiet">{installation.name}</span>;
  if (!actor)
    return <span className="quiet">{userId ? t`someone you can't see` : t`the operator of the service`}</span>;
  return (
    <Link to="/$company/people/$person" params={{ company, person: actor.collaborator_id }}>
      {actor.name}
    </Link>
  );
}

function Entry({ company, entry }: { company: string; entry: HistoryEntry }) {
  const { data: custom = [] } = useQuery(customFieldsQuery(company));
  return (
    <li>
      <p className="row">
        <strong>{named(historyActionNames, entry.action)}</strong>
        <Time at={entry.timestamp} short={false} />
        <DoneBy company={company} entry={entry} />
      </p>
      {entry.changes.length > 0 && (
        <ul className="changes">
          {entry.changes.map(({ field, from, to, redacted }) => (
            <li key={field}>
              <span className="quiet">{fieldLabel(field, custom)}:</span>{' '}
              {redacted ? (
                <Hidden company={company} field={field} isSensitive={isSensitive(field, custom)} />
              ) : (
                <>
                  <del>
                    <Value company={company} field={field} value={from} />
                  </del>{' '}
                  →{' '}
                  <ins>
                    <Value company={company} field={field} value={to} />
                  </ins>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function isSensitive(field: string, custom: readonly CustomField[]): boolean {
  return field === 'salary' || (customFieldOf(field, custom)?.sensitive ?? false);
}
