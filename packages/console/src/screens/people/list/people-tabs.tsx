/** Tabs of the people views. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { permissionsQuery } from '../../../api/client/session.ts';
import { t } from '../../../parts/translate.ts';

export function PeopleTabs({ company }: { company: string }) {
  const { data: rights } = useQuery(permissionsQuery(company));
  return (
    <nav className="tabs" aria-label={t`People sections`}>
      <Link to="/$company/people" params={{ company }} activeOptions={{ exact: true, includeSearch: false }}>
        {t`List`}
      </Link>
      <Link to="/$company/people/org" params={{ company }}>
        {t`Org chart`}
      </Link>
      {rights?.has('listDeletedCollaborators') && (
        <Link to="/$company/people/deleted" params={{ company }}>
          {t`Deleted people`}
        </Link>
      )}
    </nav>
  );
}
