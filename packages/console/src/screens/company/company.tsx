/** The company: name, sign-in policy, and headcount breakdown. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { permissionsQuery } from '../../api/client/session.ts';
import { companyQuery, type VersionedCompany } from '../../api/company.ts';
import { Problem } from '../../parts/errors/problem.tsx';
import { Heading, Loading } from '../../parts/small.tsx';
import { t, useLanguage } from '../../parts/translate.ts';
import { ChangeCompany } from './change-company.tsx';
import { fieldsOf } from './company-fields.ts';
import { Distribution } from './distribution.tsx';
import { companyFieldLabels } from './names.ts';
import { formatField, visibleFields } from './visible-field.ts';

export function CompanyScreen() {
  useLanguage();
  const { company: id } = useParams({ from: '/$company' });
  const { data: rights } = useQuery(permissionsQuery(id));
  const { data, error, refetch } = useQuery(companyQuery(id));
  const canAlter = rights?.has('updateCompany') ?? false;
  return (
    <>
      <Heading title={data?.company.name ?? t`Company`} />
      <p className="lead">
        {canAlter
          ? t`The company's name, settings and sign-in rules.`
          : t`The company's name, settings and sign-in rules. Admins can change them.`}
      </p>
      {error && <Problem error={error} retry={refetch} />}
      {!data && !error && <Loading />}
      {data && (canAlter ? <ChangeCompany id={id} known={data} /> : <Facts known={data} />)}
      {rights?.has('listFieldValues') && (
        <>
          <Distribution company={id} field="department" />
          <Distribution company={id} field="location" />
        </>
      )}
    </>
  );
}

/** Read-only view: everyone in the company may see its policies. */
function Facts({ known }: { known: VersionedCompany }) {
  const fields = fieldsOf(known.company);
  return (
    <section className="panel" aria-labelledby="facts">
      <h2 id="facts">{t`Sign-in rules`}</h2>
      <dl className="facts">
        {visibleFields.map((name) => (
          <div key={name} className="fact">
            <dt>{companyFieldLabels()[name]}</dt>
            <dd>{formatField(fields, name)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
