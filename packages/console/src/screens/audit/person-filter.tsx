/** Filters the log by person, with search. */
import { useQuery } from '@tanstack/react-query';
import { personQuery } from '../../api/people.ts';
import { Button } from '../../parts/button.tsx';
import { PersonField } from '../../parts/fields/person-field.tsx';
import { t } from '../../parts/translate.ts';

interface PersonFilterProps {
  company: string;
  label: string;
  /** Id of a person, or of an actor without a known name. */
  value: string | undefined;
  onChange(id: string | undefined): void;
}

export function PersonFilter({ company, label, value, onChange }: PersonFilterProps) {
  const { data: chosen } = useQuery({ ...personQuery(company, value ?? ''), enabled: Boolean(value), retry: false });
  if (value) {
    const name = chosen?.person.name ?? value;
    return (
      <div className="field">
        <span>{label}</span>
        <span className="chosen">
          <span>{name}</span>
          <Button kind="quiet" aria-label={t`Remove the filter: ${name}`} onClick={() => onChange(undefined)}>
            ✕
          </Button>
        </span>
      </div>
    );
  }
  return <PersonField label={label} company={company} value="" onChange={(picked) => picked && onChange(picked)} />;
}
