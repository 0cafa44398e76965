import { Link } from '@tanstack/react-router';
import { Heading } from './small.tsx';
import { t, useLanguage } from './words.ts';

/** An address of nothing, or of a company that is not one's own: the two look alike. */
export function Missing() {
  useLanguage();
  return (
    <div className="alone">
      <Heading title={t('missing')} />
      <p>{t('missing.more')}</p>
      <Link to="/" className="button primary">
        {t('missing.home')}
      </Link>
    </div>
  );
}
