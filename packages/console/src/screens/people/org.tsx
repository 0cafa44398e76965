/** Who reports to whom: from the top, or from the reader, opened branch by branch. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type PersonItem, peoplePage, reportsQuery } from '../../api/people.ts';
import { whoQuery } from '../../api/who.ts';
import { Problem } from '../../parts/problem.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/words.ts';
import { Avatar } from './person-badge.tsx';

export function OrgChart() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: who } = useSuspenseQuery(whoQuery);
  const mine = who.companies.find(({ id }) => id === company);
  const { data, error, refetch } = useQuery({
    queryKey: [company, 'people', 'org', mine?.collaborator_id],
    queryFn: () => rootsOf(company),
  });
  return (
    <>
      <nav aria-label={t`Where you are`} className="path">
        <Link to="/$company/people" params={{ company }}>
          {t`People`}
        </Link>
      </nav>
      <Heading title={t`Org chart`} />
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      <ul className="tree panel">
        {data?.map((person) => (
          <Branch key={person.id} company={company} person={person} open />
        ))}
      </ul>
    </>
  );
}

const most_read = 1_000;

/** Those whose manager is nobody, or nobody that the reader reaches. */
async function rootsOf(company: string): Promise<PersonItem[]> {
  const people: PersonItem[] = [];
  let cursor: string | undefined;
  do {
    const page = await peoplePage(company, { sort: 'name' }, cursor);
    people.push(...page.data);
    cursor = page.next;
  } while (cursor && people.length < most_read);
  const known = new Set(people.map(({ id }) => id));
  return people.filter(({ manager_id }) => !manager_id || (!known.has(manager_id) && cursor === undefined));
}

function Branch({ company, person, open = false }: { company: string; person: PersonItem; open?: boolean }) {
  const [is_open, setOpen] = useState(open);
  const { data: reports, error } = useQuery(reportsQuery(company, person.id));
  const has_reports = (reports?.length ?? 0) > 0;
  return (
    <li>
      <div className="row branch">
        {has_reports ? (
          <button
            type="button"
            className="twist"
            aria-expanded={is_open}
            aria-label={t`${person.name ?? ''}'s team`}
            onClick={() => setOpen(!is_open)}
          >
            {is_open ? '▾' : '▸'}
          </button>
        ) : (
          <span className="twist" aria-hidden="true" />
        )}
        <Link to="/$company/people/$person" params={{ company, person: person.id }} className="row">
          <Avatar name={person.name ?? ''} url={person.avatar_url} />
          <span>{person.name}</span>
        </Link>
        <span className="quiet row about">
          <span>{person.position}</span>
          {has_reports && (
            <span>{tn(reports!.length, t`${reports!.length} report`, t`${reports!.length} reports`)}</span>
          )}
        </span>
      </div>
      {error && <Problem error={error} />}
      {is_open && has_reports && (
        <ul>
          {reports!.map((each) => (
            <Branch key={each.id} company={company} person={each} />
          ))}
        </ul>
      )}
    </li>
  );
}
