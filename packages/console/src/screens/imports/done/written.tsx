/** People added and updated by an import. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Import, writtenQuery } from '../../../api/imports.ts';
import type { PersonItem } from '../../../api/people.ts';
import { Problem } from '../../../parts/errors/problem.tsx';
import { number } from '../../../parts/format.ts';
import { Loading } from '../../../parts/small.tsx';
import { t } from '../../../parts/translate.ts';

export function Written({ company, job }: { company: string; job: Import }) {
  const { data, error, refetch } = useQuery(writtenQuery(company, job));
  const { created, updated } = job.counts;
  return (
    <section className="panel" aria-labelledby="written">
      <h2 id="written">{t`Imported people`}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (
        <>
          <Names company={company} title={t`Added people`} people={data.added} count={created} />
          <Names company={company} title={t`Changed people`} people={data.changed} count={updated} />
        </>
      )}
      <Link to="/$company/people" params={{ company }} className="button">
        {t`See everyone`}
      </Link>
    </section>
  );
}

interface NamesProps {
  company: string;
  title: string;
  people: readonly PersonItem[];
  count: number;
}

function Names({ company, title, people, count }: NamesProps) {
  if (people.length === 0) return null;
  const more = count - people.length;
  return (
    <>
      <h3>{title}</h3>
      <ul className="names">
        {people.map(({ id, name }) => (
          <li key={id}>
            <Link to="/$company/people/$person" params={{ company, person: id }}>
              {name}
            </Link>
          </li>
        ))}
        {more > 0 && <li className="quiet">{t`and ${number(more)} more`}</li>}
      </ul>
    </>
  );
}
