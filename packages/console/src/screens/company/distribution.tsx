/** Headcount by department or location; each links to the filtered list. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { valuesQuery } from '../../api/people.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Loading } from '../../parts/small.tsx';
import { t, tn } from '../../parts/translate.ts';
import { distributionTitles, emptyDistributionTexts } from './names.ts';

/** The people filters have the rest. */
const maxVisible = 24;

export function Distribution({ company, field }: { company: string; field: 'department' | 'location' }) {
  const { data, error, refetch } = useQuery(valuesQuery(company, field));
  const sorted = data?.toSorted((one, other) => other.count - one.count);
  return (
    <section className="panel" aria-labelledby={field}>
      <h2 id={field}>{distributionTitles()[field]}</h2>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {sorted?.length === 0 && <p className="quiet">{emptyDistributionTexts()[field]}</p>}
      {sorted && sorted.length > 0 && (
        <ul className="spread-list">
          {sorted.slice(0, maxVisible).map(({ value, count }) => (
            <li key={value}>
              <Link to="/$company/people" params={{ company }} search={{ [field]: value }}>
                {value}
              </Link>{' '}
              <span className="quiet">{tn(count, t`${number(count)} person`, t`${number(count)} people`)}</span>
            </li>
          ))}
        </ul>
      )}
      {sorted && sorted.length > maxVisible && (
        <Link to="/$company/people" params={{ company }}>
          {t`and ${number(sorted.length - maxVisible)} more`}
        </Link>
      )}
    </section>
  );
}
