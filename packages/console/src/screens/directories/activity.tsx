/** Recent SCIM requests and errors. */
import { useQuery } from '@tanstack/react-query';
import { errorsQuery, syncsQuery } from '../../api/directories.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Badge, Loading, Time } from '../../parts/small.tsx';
import { named, t, tn } from '../../parts/translate.ts';
import { operationNames } from './names.ts';

interface OfDirectory {
  company: string;
  id: string;
}

export function Errors({ company, id }: OfDirectory) {
  const { data, error, refetch } = useQuery(errorsQuery(company, id));
  return (
    <section className="panel" aria-labelledby="errors">
      <h2 id="errors">{t`Errors`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <p className="quiet">{t`Everything the provider sent was accepted.`}</p>}
      <ul className="cards">
        {data?.data.map(({ id: key, subject, operation, status, message, occurrences, last_at: lastAt }) => (
          <li key={key} className="card">
            <div className="row spread">
              <strong className="url">{subject}</strong>
              <Badge tone="bad">{status}</Badge>
            </div>
            <p lang="en">{message}</p>
            <p className="quiet">
              {named(operationNames, operation)} · {tn(occurrences, t`${occurrences} time`, t`${occurrences} times`)} ·{' '}
              <Time at={lastAt} />
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Syncs({ company, id }: OfDirectory) {
  const { data, error, refetch } = useQuery(syncsQuery(company, id));
  return (
    <section className="panel" aria-labelledby="syncs">
      <h2 id="syncs">{t`Last syncs`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && <p className="quiet">{t`The provider hasn't sent anything yet.`}</p>}
      <ul className="cards">
        {data?.data.map(
          ({ id: key, started_at: startedAt, ended_at: endedAt, created, changed, unchanged, removed, failed }) => (
            <li key={key} className="card">
              <div className="row spread">
                <Time at={startedAt} />
                {endedAt === null && <Badge tone="waiting">{t`Running`}</Badge>}
                {endedAt !== null && (
                  <Badge tone={failed > 0 ? 'bad' : 'good'}>{failed > 0 ? t`Ended with errors` : t`Ended`}</Badge>
                )}
              </div>
              <p>{t`Added: ${number(created)} · Changed: ${number(changed)} · Unchanged: ${number(unchanged)} · Removed: ${number(removed)} · Refused: ${number(failed)}`}</p>
            </li>
          ),
        )}
      </ul>
    </section>
  );
}
