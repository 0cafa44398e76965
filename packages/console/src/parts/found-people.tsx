/** People whose name, address or position has what somebody typed, to choose one of them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { peoplePage } from '../api/people.ts';
import { Button } from './button.tsx';

interface FoundProps {
  company: string;
  /** Nobody is looked for by a single letter. */
  typed: string;
  /** Who is not to be chosen. */
  not?: string | undefined;
  onPick(id: string): void;
}

const most_shown = 8;

export function FoundPeople({ company, typed, not, onPick }: FoundProps) {
  const is_enough = typed.trim().length > 1;
  const { data: found } = useQuery({
    queryKey: [company, 'people', 'found', typed],
    queryFn: () => peoplePage(company, { search: typed, sort: 'name' }),
    enabled: is_enough,
    placeholderData: keepPreviousData,
  });
  const people = is_enough ? (found?.data ?? []).filter(({ id }) => id !== not).slice(0, most_shown) : [];
  if (people.length === 0) return null;
  return (
    <ul className="found">
      {people.map(({ id, name, position }) => (
        <li key={id}>
          <Button kind="quiet" onClick={() => onPick(id)}>
            {name} · {position}
          </Button>
        </li>
      ))}
    </ul>
  );
}
