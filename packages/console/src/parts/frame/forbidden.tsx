import { Empty } from '../small.tsx';
import { t } from '../translate.ts';

/** Shown when the user's role lacks permission for a screen; its data is never requested. */
export function Forbidden() {
  return (
    <Empty title={t`Only admins can see this`}>
      <p>{t`Ask an admin of your company to look it up for you, or to change your role.`}</p>
    </Empty>
  );
}
