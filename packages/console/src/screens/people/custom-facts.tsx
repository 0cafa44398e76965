/** A person's values of the company's own fields. */
import { useQuery } from '@tanstack/react-query';
import { type CustomField, customFieldsQuery } from '../../api/custom-fields.ts';
import type { Person } from '../../api/people.ts';
import { day, number } from '../../parts/format.ts';
import { type Language, t, useLanguage } from '../../parts/words.ts';

export function CustomFacts({ company, person }: { company: string; person: Person }) {
  const language = useLanguage();
  const { data: fields = [] } = useQuery(customFieldsQuery(company));
  const hidden = new Set(person.restricted_fields);
  const known = fields.filter(({ key }) => key in person.custom_fields || hidden.has(`custom_fields.${key}`));
  if (known.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="custom-fields">
      <h2 id="custom-fields">{t`Custom fields`}</h2>
      <dl className="facts">
        {known.map((field) => (
          <div key={field.key} className="fact">
            <dt>{inLanguage(field.label, language)}</dt>
            <dd>
              {hidden.has(`custom_fields.${field.key}`) ? (
                <span className="quiet">{t`hidden from you`}</span>
              ) : (
                (valueText(field, person.custom_fields[field.key], language) ?? <span className="quiet">–</span>)
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function inLanguage(label: CustomField['label'], language: Language): string {
  return label[language.slice(0, 2) as 'en' | 'pt' | 'es'] ?? label.default;
}

/** A value as people read it; undefined for none. */
function valueText({ type, options }: CustomField, value: unknown, language: Language): string | undefined {
  if (value === null || value === undefined) return undefined;
  const optionText = (key: string) => {
    const option = options.find((each) => each.key === key);
    return option ? inLanguage(option.label, language) : key;
  };
  switch (type) {
    case 'boolean':
      return value ? t`Yes` : t`No`;
    case 'date':
      return day(String(value));
    case 'number':
      return number(Number(value));
    case 'choice':
      return optionText(String(value));
    case 'multi_choice':
      return (value as string[]).map(optionText).join(', ');
    default:
      return String(value);
  }
}
