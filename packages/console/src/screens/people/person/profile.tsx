/** A person's fields, and the form for those the reader may write. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { customFieldsQuery } from '../../../api/custom-fields.ts';
import { type Person, personQuery } from '../../../api/people.ts';
import { Button } from '../../../parts/button.tsx';
import { Problem } from '../../../parts/errors/problem.tsx';
import { Hidden } from '../../../parts/hidden.tsx';
import { fieldLabels } from '../../../parts/names.ts';
import { Loading } from '../../../parts/small.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';
import { fieldNames, mayWrite } from '../fields.ts';
import { formatField } from '../format-field.ts';
import { PersonName } from '../person-name.tsx';
import { useRelation } from '../relation.ts';
import { CustomFacts } from './custom-facts.tsx';
import { Photo } from './photo.tsx';
import { ProfileForm } from './profile-form.tsx';

export function Profile() {
  useLanguage();
  const { company, person: id } = useParams({ from: '/$company/people/$person' });
  const { data, error, refetch } = useQuery(personQuery(company, id));
  const { data: fields } = useQuery(customFieldsQuery(company));
  const [editing, setEditing] = useState(false);
  const relation = useRelation(company, id);
  const wasEditing = useRef(editing);
  useEffect(() => {
    if (wasEditing.current === editing) return;
    wasEditing.current = editing;
    const place = editing
      ? '[aria-labelledby="edit"] :is(input, select, textarea)'
      : '[aria-labelledby="profile"] button';
    document.querySelector<HTMLElement>(place)?.focus();
  }, [editing]);
  if (!data) return error && <Problem error={error} retry={refetch} />;
  if (editing) {
    if (!fields) return <Loading />;
    return (
      <ProfileForm
        company={company}
        known={data}
        fields={fields}
        relation={relation}
        onDone={() => setEditing(false)}
      />
    );
  }
  const mayEdit = fieldNames.some((field) => mayWrite(field, relation));
  return (
    <>
      <section className="panel" aria-labelledby="profile">
        <div className="row spread full">
          <h2 id="profile">{t`Profile`}</h2>
          {mayEdit && <Button onClick={() => setEditing(true)}>{t`Edit`}</Button>}
        </div>
        {data.person.managed_by && (
          <p className="quiet full">{t`Managed by ${data.person.managed_by.directory_name}`}</p>
        )}
        <Facts company={company} person={data.person} />
      </section>
      <CustomFacts company={company} person={data.person} />
      <Photo company={company} person={data.person} />
    </>
  );
}

function Facts({ company, person }: { company: string; person: Person }) {
  const hidden = new Set(person.restricted_fields);
  return (
    <dl className="facts">
      {fieldNames
        .filter((field) => field in person || hidden.has(field))
        .map((field) => (
          <div key={field} className="fact">
            <dt>{fieldLabels()[field]}</dt>
            <dd>
              {hidden.has(field) ? (
                <Hidden company={company} field={field} />
              ) : field === 'manager_id' ? (
                <PersonName company={company} id={person.manager_id} />
              ) : (
                (formatField(field, person[field]) ?? <span className="quiet">–</span>)
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}
