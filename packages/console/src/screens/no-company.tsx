import { accountUrl, signOutUrl } from '../api/client/sign-in.ts';
import { Heading } from '../parts/small.tsx';
import { t } from '../parts/translate.ts';

/** Shown to a user without a company, for example after they left. */
export function NoCompany() {
  return (
    <main className="alone">
      <Heading title={t`You don't belong to a company`} />
      <p>{t`Ask an admin of your company to invite you or to reactivate you.`}</p>
      <p className="row">
        <a className="button" href={accountUrl}>
          {t`Your account`}
        </a>
        <a className="button" href={signOutUrl}>
          {t`Sign out`}
        </a>
      </p>
    </main>
  );
}
