/** Headcount by department or location; each links to the filtered list. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { valuesQuery } from '../../api/people.ts';
import { Problem } from '../../parts/problem.tsx';
import { Loading } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';
import { spreadNone, spreadTitles } from './names.ts';

/** The people filters have the rest. */
const shownCount = 24;

export function Spread({ company, field }: { company: string; field: 'department' | 'location' }) {
  const { data, error, refetch } = useQuery(valuesQuery(company, field));
  const most = data?.toSorted((one, other) => other.count - one.count);
  return (
    <section className="panel" aria-labelledby={field}>
      <h2 id={field}>{spreadTitles()[field]}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {most?.length === 0 && <p className="quiet">{spreadNone()[field]}</p>}
      {most && most.length > 0 && (
        <ul className="spread-list">
          {most.slice(0, shownCount).map(({ value, count }) => (
            <li key={value}>
              <Link to="/$company/people" params={{ company }} search={{ [field]: value }}>
                {value}
              </Link>{' '}
              <span className="quiet">{tn(count, t`${count} person`, t`${count} people`)}</span>
            </li>
          ))}
        </ul>
      )}
      {most && most.length > shownCount && (
        <Link to="/$company/people" params={{ company }}>
          {t`and ${most.length - shownCount} more`}
        </Link>
      )}
    </section>
  );
}
