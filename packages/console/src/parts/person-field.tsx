/** A person, found by typing a part of the name. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { personQuery } from '../api/people.ts';
import { Button } from './button.tsx';
import { FoundPeople } from './found-people.tsx';
import { t } from './words.ts';

interface PersonFieldProps {
  label: string;
  company: string;
  /** Their id; empty for none. */
  value: string;
  /** Who can not be chosen: nobody reports to themselves. */
  not?: string;
  fault: string | undefined;
  onChange(id: string): void;
}

export function PersonField({ label, company, value, not, fault, onChange }: PersonFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const { data: chosen } = useQuery({ ...personQuery(company, value), enabled: value !== '', retry: false });
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="row">
        <span>{value ? (chosen?.person.name ?? t`someone you can't see`) : t`none`}</span>
        {value && (
          <Button kind="quiet" onClick={() => onChange('')}>
            {t`Remove`}
          </Button>
        )}
      </div>
      <input
        id={id}
        type="search"
        autoComplete="off"
        value={typed}
        placeholder={t`Type a name`}
        aria-invalid={fault ? true : undefined}
        onChange={({ target }) => setTyped(target.value)}
      />
      <FoundPeople
        company={company}
        typed={typed}
        not={not}
        onPick={(chosen_id) => {
          onChange(chosen_id);
          setTyped('');
        }}
      />
      {fault && <span className="fault">{fault}</span>}
    </div>
  );
}
