import { Empty } from './small.tsx';
import { t } from './words.ts';

/** A screen that the person's role has no right to. Nothing of it was asked for. */
export function Forbidden() {
  return (
    <Empty title={t`Only admins can see this`}>
      <p>{t`Ask an admin of your company to look for you, or to change your role.`}</p>
    </Empty>
  );
}
