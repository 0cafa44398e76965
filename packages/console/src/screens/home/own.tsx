/** The reader's own record and team. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { levelQuery } from '../../api/org-chart.ts';
import { personQuery } from '../../api/people.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { number } from '../../parts/format.ts';
import { Loading } from '../../parts/small.tsx';
import { t } from '../../parts/translate.ts';
import { useInView } from '../../parts/use-in-view.ts';
import { Avatar, PersonBadge } from '../people/person-badge.tsx';
import { PersonName } from '../people/person-name.tsx';

const maxVisible = 12;

export function Own({ company, id, hasTeam }: { company: string; id: string; hasTeam: boolean }) {
  const [ref, isInView] = useInView<HTMLElement>();
  const { data, error, refetch } = useQuery({ ...personQuery(company, id), enabled: isInView });
  return (
    <>
      <section ref={ref} aria-labelledby="own">
        <h2 id="own">{t`Your record`}</h2>
        {error && <Problem error={error} retry={refetch} />}
        {!data && !error && <Loading />}
        {data && (
          <div className="card own">
            <Avatar name={data.person.name} url={data.person.avatar_url} large />
            <div>
              <Link to="/$company/people/$person" params={{ company, person: id }} className="card-link">
                {data.person.name}
              </Link>
              <p>
                {data.person.position} · {data.person.department}
              </p>
              {data.person.manager_id && (
                <p className="quiet above-row">
                  {t`Manager`}: <PersonName company={company} id={data.person.manager_id} />
                </p>
              )}
            </div>
          </div>
        )}
      </section>
      {hasTeam && <Team company={company} id={id} />}
    </>
  );
}

/** Direct reports; the org chart has the rest. */
function Team({ company, id }: { company: string; id: string }) {
  const { data, error, refetch } = useInfiniteQuery(levelQuery(company, { manager_id: id }));
  const people = data?.pages[0]?.data;
  const more = (data?.pages[0]?.total ?? 0) - maxVisible;
  return (
    <section aria-labelledby="team">
      <div className="row spread">
        <h2 id="team">{t`Your team`}</h2>
        <Link to="/$company/people/org" params={{ company }}>
          {t`Org chart`}
        </Link>
      </div>
      {error && <Problem error={error} retry={refetch} />}
      {!people && !error && <Loading />}
      {people?.length === 0 && <p className="quiet">{t`No one reports to you.`}</p>}
      <ul className="cards team">
        {people?.slice(0, maxVisible).map(({ id: person, name, position, avatar_url: avatarUrl, status }) => (
          <li key={person} className="card own">
            <Avatar name={name} url={avatarUrl} />
            <div>
              <Link to="/$company/people/$person" params={{ company, person }} className="card-link">
                {name}
              </Link>
              <p className="row quiet">
                <span>{position}</span>
                {status !== 'active' && <PersonBadge status={status} />}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet">{t`and ${number(more)} more`}</p>}
    </section>
  );
}
