import { t } from '../parts/words.ts';

/** A window that has handed its answer to the page which opened it. */
export function WindowDone() {
  return (
    <main className="alone">
      <h1>{t`Done`}</h1>
      <p>{t`Continue in the console window. You can close this one.`}</p>
    </main>
  );
}
