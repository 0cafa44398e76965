import { basePath, type SignInRefused } from '../api/client/sign-in.ts';
import { t } from '../parts/translate.ts';

/** Failed sign-in: the user denied access, or an error occurred. */
export function Refused({ error }: { error: Partial<SignInRefused> & Error }) {
  return (
    <main className="alone">
      <h1>{t`You are not signed in`}</h1>
      <p>{error.code === 'access_denied' ? t`The sign-in was canceled.` : t`Sign-in failed.`}</p>
      {error.message && (
        <p className="quiet">
          {error.code && <code>{error.code}</code>} {error.message}
        </p>
      )}
      <a className="button primary" href={`${basePath}/`}>
        {t`Sign in again`}
      </a>
    </main>
  );
}
