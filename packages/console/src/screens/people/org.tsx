/** The org chart as a tree or a list; narrow screens start with the list. */
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Heading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { Chart } from './chart/chart.tsx';
import { PeopleTabs } from './list/people-tabs.tsx';
import { OrgList, Singles } from './org-list.tsx';

const wide = '(min-width: 45rem)';

export function OrgChart() {
  useLanguage();
  const { company } = useParams({ from: '/$company' });
  const { view = matchMedia(wide).matches ? 'chart' : 'list' } = useSearch({ from: '/$company/people/org' });
  return (
    <>
      <Heading title={t`Org chart`} aside={<Views company={company} view={view} />} />
      <PeopleTabs company={company} />
      {view === 'list' && <OrgList company={company} />}
      {view === 'chart' && (
        <>
          <Chart company={company} />
          <div className="tree panel under-chart">
            <Singles company={company} />
          </div>
        </>
      )}
    </>
  );
}

function Views({ company, view }: { company: string; view: 'chart' | 'list' }) {
  const other = view === 'chart' ? 'list' : 'chart';
  return (
    <Link to="/$company/people/org" params={{ company }} search={{ view: other }} replace className="button">
      {other === 'list' ? t`Show as a list` : t`Show as a chart`}
    </Link>
  );
}
