import type { Person } from '../../api/people.ts';
import { Badge, type Tone } from '../../parts/small.tsx';
import { named } from '../../parts/translate.ts';
import { personStatusNames } from './names.ts';

const tones: Record<Person['status'], Tone> = { active: 'good', pending: 'waiting', inactive: 'quiet' };

export function PersonBadge({ status }: { status: Person['status'] }) {
  return <Badge tone={tones[status]}>{named(personStatusNames, status)}</Badge>;
}

/** The photo; initials as a fallback. */
export function Avatar({
  name,
  url,
  large = false,
}: {
  name: string;
  url: string | null | undefined;
  large?: boolean;
}) {
  const words = name.split(/\s+/).filter(Boolean);
  const initials = `${words[0]?.[0] ?? ''}${words.length > 1 ? (words.at(-1)?.[0] ?? '') : ''}`.toUpperCase();
  const className = large ? 'avatar large' : 'avatar';
  return url ? (
    <img className={className} src={url} alt="" />
  ) : (
    <span className={className} aria-hidden="true">
      {initials}
    </span>
  );
}
