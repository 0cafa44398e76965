import { Link } from '@tanstack/react-router';
import { Heading } from '../small.tsx';
import { t, useLanguage } from '../translate.ts';

/** Not found. An unknown URL and another company's record look the same. */
export function Missing() {
  useLanguage();
  return (
    <div className="alone">
      <Heading title={t`Page not found`} />
      <p>{t`The address is wrong, or it belongs to something that was deleted or that you can't see.`}</p>
      <Link to="/" className="button primary">
        {t`Go to the home page`}
      </Link>
    </div>
  );
}
