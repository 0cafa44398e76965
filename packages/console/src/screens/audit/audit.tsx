/** The audit log, newest first: filters in the URL, virtualized table. */
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type AuditEntry, auditPage } from '../../api/audit.ts';
import type { AuditFilters } from '../../api/audit-filters.ts';
import { permissionsQuery } from '../../api/client/session.ts';
import { Button } from '../../parts/button.tsx';
import { Problem } from '../../parts/errors/problem.tsx';
import { number, timeZone } from '../../parts/format.ts';
import { Forbidden } from '../../parts/frame/forbidden.tsx';
import { loadNextPage, NextPageProblem } from '../../parts/lists/next-page.tsx';
import { Empty, Heading, Loading } from '../../parts/small.tsx';
import { t, tn, useLanguage } from '../../parts/translate.ts';
import { SavedViews } from '../../parts/views/saved-views.tsx';
import { AuditFilterForm } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { Entry } from './entry.tsx';
import { SaveEntries } from './save-entries.tsx';
import { fromView, isActiveView, toView } from './view-filters.ts';

export function Audit() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(company));
  const [saving, setSaving] = useState(false);
  const filters = useSearch({ from: '/$company/audit' });
  const may = rights?.has('listAudit');
  return (
    <>
      <Heading
        title={t`Audit log`}
        aside={may && <Button onClick={() => setSaving(true)}>{t`Save to a file`}</Button>}
      />
      <p className="lead">{t`Every action in the company: the person, the app and the IP address. Entries are never changed.`}</p>
      {may ? (
        <Log company={company} filters={filters} hasViews={rights?.has('listSavedViews') ?? false} />
      ) : (
        <Forbidden />
      )}
      {saving && <SaveEntries company={company} filters={filters} onClose={() => setSaving(false)} />}
    </>
  );
}

interface LogProps {
  company: string;
  filters: AuditFilters;
  hasViews: boolean;
}

function Log({ company, filters, hasViews }: LogProps) {
  const navigate = useNavigate();
  const [opened, setOpened] = useState<AuditEntry>();
  const list = useInfiniteQuery({
    queryKey: [company, 'audit', filters],
    queryFn: ({ pageParam }) => auditPage(company, filters, pageParam || undefined),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const entries = list.data?.pages.flatMap(({ data }) => data);
  const show = (search: AuditFilters) => {
    setOpened(undefined);
    return navigate({ to: '/$company/audit', params: { company }, search, replace: true });
  };
  return (
    <>
      <AuditFilterForm company={company} filters={filters} onChange={show} />
      <div className="row spread">
        <p className="row quiet">
          <span role="status" id="entries">
            {entries &&
              (list.hasNextPage
                ? tn(
                    entries.length,
                    t`The latest entry, more below`,
                    t`The latest ${number(entries.length)} entries, more below`,
                  )
                : tn(entries.length, t`${number(entries.length)} entry`, t`${number(entries.length)} entries`))}
          </span>
          <span>{timeZone()}</span>
        </p>
        {hasViews && (
          <SavedViews
            company={company}
            current={toView(filters)}
            isActive={(view) => isActiveView(view, filters)}
            linkTo={(view) => ({ to: '/$company/audit', params: { company }, search: fromView(view) })}
            about={t`Filters, for you alone, on every device.`}
            advice={t`No saved views yet. Filter the log, then save what you see.`}
            onOpen={(view) => show(fromView(view))}
          />
        )}
      </div>
      {list.error && !list.isFetchNextPageError && <Problem error={list.error} retry={list.refetch} />}
      {!entries && !list.error && <Loading />}
      {entries?.length === 0 && (
        <Empty title={Object.keys(filters).length > 0 ? t`No entries match these filters` : t`No entries yet`}>
          {Object.keys(filters).length > 0 ? (
            <Button onClick={() => show({})}>{t`Clear filters`}</Button>
          ) : (
            <p>{t`Changes, exports and refused requests are recorded here, as are sign-ins and reads, which you can show.`}</p>
          )}
        </Empty>
      )}
      {entries && entries.length > 0 && (
        <AuditTable company={company} entries={entries} onOpen={setOpened} onEnd={() => loadNextPage(list)} />
      )}
      <NextPageProblem list={list} />
      {opened && <Entry company={company} entry={opened} onFilter={show} onClose={() => setOpened(undefined)} />}
    </>
  );
}
