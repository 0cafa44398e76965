/** Error boundary of a screen: says what happened and what to do next, with details to send to support. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { basePath } from '../../api/client/sign-in.ts';
import { Button } from '../button.tsx';
import { Problem, textOf } from '../errors/problem.tsx';
import { TechnicalDetails } from '../errors/technical-details.tsx';
import { Heading } from '../small.tsx';
import { t, useLanguage } from '../translate.ts';

export function Broken({ error, info, reset }: ErrorComponentProps) {
  useLanguage();
  return (
    <div className="broken">
      <Heading title={t`This page can't be shown`} />
      <Problem error={error} retry={reset} componentStack={info?.componentStack} />
      <ErrorActions />
    </div>
  );
}

/** Fallback for the whole console, when it fails to start. */
export function Stopped({ error }: { error: unknown }) {
  return (
    <main className="alone broken">
      <h1>{t`This page can't be shown`}</h1>
      <p role="alert">{textOf(error).message}</p>
      <ErrorActions />
      <TechnicalDetails error={error} />
    </main>
  );
}

/** Works without the router and without any loaded data. */
function ErrorActions() {
  return (
    <div className="row">
      <Button onClick={() => location.reload()}>{t`Reload the page`}</Button>
      <a className="button plain" href={`${basePath}/`}>
        {t`Go to the home page`}
      </a>
    </div>
  );
}
