import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { personQuery } from '../../api/people.ts';
import { t } from '../../parts/translate.ts';

/** A person's name and link, if the reader may see them. */
export function PersonName({ company, id }: { company: string; id: string | null | undefined }) {
  const { data, isPending } = useQuery({ ...personQuery(company, id ?? ''), enabled: Boolean(id), retry: false });
  if (!id) return <span className="quiet">–</span>;
  if (isPending) return null;
  if (!data) return <span className="quiet">{t`someone you can't see`}</span>;
  return (
    <Link to="/$company/people/$person" params={{ company, person: id }}>
      {data.person.name}
    </Link>
  );
}
