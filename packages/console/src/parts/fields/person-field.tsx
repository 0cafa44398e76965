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
  not?: string;
  error?: string | undefined;
  onChange(id: string): void;
  /** Text without a selection; empty for none. */
  onTyped?(text: string): void;
}

export function PersonField({ label, company, value, not, error: fieldError, onChange, onTyped }: PersonFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [picked, setPicked] = useState<PersonItem>();
  const { data: chosen, isError } = useQuery({ ...personQuery(company, value), enabled: value !== '', retry: false });
  const isPicked = picked?.id === value;
  const name = (isPicked ? picked.name : chosen?.person.name) ?? (isError ? t`someone you can't see` : '');
  const people = useFoundPeople(company, typed ?? '', not);
  const say = (text: string | undefined) => {
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
        say(text || undefined);
        if (value) onChange('');
      }}
      onPick={(person) => {
        say(undefined);
        setPicked(person);
        onChange(person.id);
      }}
    />
  );
}

/** Text without a selection is an error, not an empty value. */
export function usePicked() {
  const [typed, setTyped] = useState('');
  const [isAsked, setAsked] = useState(false);
  return {
    onTyped: setTyped,
    error: isAsked && typed ? t`Choose a person from the list, or clear the field.` : undefined,
    /** Call on submit. */
    isPicked: () => {
      setAsked(true);
      return typed === '';
    },
  };
}

const maxShown = 8;

/** Searches people by name, email, or position. Needs at least two characters. */
function useFoundPeople(company: string, typed: string, not: string | undefined): PersonItem[] {
  const isEnough = typed.trim().length > 1;
  const { data: found } = useQuery({
    queryKey: [company, 'people', 'found', typed],
    queryFn: () => peoplePage(company, { search: typed, sort: 'name' }, undefined, maxShown + 1),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  });
  return isEnough ? (found?.data ?? []).filter(({ id }) => id !== not).slice(0, maxShown) : [];
}
