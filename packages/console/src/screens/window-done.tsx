import { t } from '../parts/words.ts';

/** A window that has handed its answer to the page which opened it. */
export function WindowDone() {
  return (
    <main className="alone">
      <h1>{t('window-done')}</h1>
      <p>{t('window-done.more')}</p>
    </main>
  );
}
