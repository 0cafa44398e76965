/** A person's custom field values. */
import { useQuery } from '@tanstack/react-query';
import { customFieldsQuery } from '../../../api/custom-fields.ts';
import type { Person } from '../../../api/people.ts';
import { labelOf, valueText } from '../../../parts/fields/custom-values.ts';
import { Hidden } from '../../../parts/hidden.tsx';
import { t, useLanguage } from '../../../parts/translate.ts';

export function CustomFacts({ company, person }: { company: string; person: Person }) {
  useLanguage();
  const { data: fields = [] } = useQuery(customFieldsQuery(company));
  const hidden = new Set(person.restricted_fields);
  const visible = fields.filter(({ key }) => key in person.custom_fields || hidden.has(`custom_fields.${key}`));
  if (visible.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="custom-fields">
      <h2 id="custom-fields">{t`Custom fields`}</h2>
      <dl className="facts">
        {visible.map((field) => (
          <div key={field.key} className="fact">
            <dt>{labelOf(field.label)}</dt>
            <dd>
              {hidden.has(`custom_fields.${field.key}`) ? (
                <Hidden company={company} field={`custom_fields.${field.key}`} isSensitive={field.sensitive} />
              ) : (
                (valueText(field, person.custom_fields[field.key]) ?? <span className="quiet">–</span>)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
