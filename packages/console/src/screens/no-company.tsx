import { account_url, sign_out_url } from '../api/sign-in.ts';
import { Heading } from '../parts/small.tsx';
import { t } from '../parts/words.ts';

/** Somebody who can sign in and belongs to no company, for example because they left. */
export function NoCompany() {
  return (
    <main className="alone">
      <Heading title={t('no-company')} />
      <p>{t('no-company.more')}</p>
      <p className="row">
        <a className="button" href={account_url}>
          {t('account')}
        </a>
        <a className="button" href={sign_out_url}>
          {t('sign-out')}
        </a>
      </p>
    </main>
  );
}
