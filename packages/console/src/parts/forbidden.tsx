import { Empty } from './small.tsx';
import { t } from './words.ts';

/** A screen that the person's role has no right to. Nothing of it was asked for. */
export function Forbidden() {
  return (
    <Empty title={t('forbidden')}>
      <p>{t('forbidden.more')}</p>
    </Empty>
  );
}
