/** Person picker with search. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PersonItem, peoplePage, personQuery } from '../../api/people.ts';
import { t } from '../translate.ts';
import { Combobox } from './combobox.tsx';

interface PersonFieldProps {
  label: string;
  company: string;
  /** Person id; empty for none. */
  value: string;
  /** Excluded person: nobody reports to themselves. */
  excludedId?: string;
  error?: string | undefined;
  onChange(id: string): void;
  /** Text without a selection; empty for none. */
  onTyped?(text: string): void;
}

export function PersonField({
  label,
  company,
  value,
  excludedId,
  error: fieldError,
  onChange,
  onTyped,
}: PersonFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [picked, setPicked] = useState<PersonItem>();
  const { data: chosen, isError } = useQuery({ ...personQuery(company, value), enabled: value !== '', retry: false });
  const isPicked = picked?.id === value;
  const name = (isPicked ? picked.name : chosen?.person.name) ?? (isError ? t`someone you can't see` : '');
  const people = useFoundPeople(company, typed ?? '', excludedId);
  const updateText = (text: string | undefined) => {
    setTyped(text);
    onTyped?.(text?.trim() ?? '');
  };
  return (
    <Combobox<PersonItem>
      label={label}
      value={typed ?? (value ? name : '')}
      items={people}
      keyOf={({ id }) => id}
      show={({ name: each, position }) => `${each} · ${position}`}
      error={fieldError}
      maxLength={100}
      placeholder={t`Type a name`}
      onText={(text) => {
        updateText(text || undefined);
        if (value) onChange('');
      }}
      onPick={(person) => {
        updateText(undefined);
        setPicked(person);
        onChange(person.id);
      }}
    />
  );
}

/** Text without a selection is an error, not an empty value. */
export function usePersonSelection() {
  const [typed, setTyped] = useState('');
  const [isValidated, setValidated] = useState(false);
  return {
    onTyped: setTyped,
    error: isValidated && typed ? t`Choose a person from the list, or clear the field.` : undefined,
    /** Call on submit. */
    isPicked: () => {
      setValidated(true);
      return typed === '';
    },
  };
}

const maxResults = 8;

/** Searches people by name, email, or position. Needs at least two characters. */
function useFoundPeople(company: string, typed: string, excludedId: string | undefined): PersonItem[] {
  const isSearchable = typed.trim().length > 1;
  const { data: found } = useQuery({
    queryKey: [company, 'people', 'found', typed],
    queryFn: () => peoplePage(company, { search: typed, sort: 'name' }, undefined, maxResults + 1),
    enabled: isSearchable,
    placeholderData: keepPreviousData,
  });
  return isSearchable ? (found?.data ?? []).filter(({ id }) => id !== excludedId).slice(0, maxResults) : [];
}
