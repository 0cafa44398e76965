import { t } from '../parts/translate.ts';

/** Shown in a popup after it has passed its response to the opener. */
export function WindowDone() {
  return (
    <main className="alone">
      <h1>{t`Done`}</h1>
      <p>{t`Continue in the console window. You can close this one.`}</p>
    </main>
  );
}
