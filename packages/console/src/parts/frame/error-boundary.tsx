/** Error boundary of a screen: says what happened and what to do next, with details to send to support. */
import type { ErrorComponentProps } from '@tanstack/react-router';
import { ApiError } from '../../api/client/client.ts';
import { basePath, SignedOut } from '../../api/client/sign-in.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { isUnreachable, Problem } from '../problem.tsx';
import { Heading } from '../small.tsx';
import { t, useLanguage } from '../translate.ts';

export function Broken({ error, info, reset }: ErrorComponentProps) {
  useLanguage();
  return (
    <div className="broken">
      <Heading title={t`This page can't be shown`} />
      <Problem error={error} retry={reset} />
      <ErrorActions error={error} componentStack={info?.componentStack} />
    </div>
  );
}

/** Fallback for the whole console, when it fails to start. */
export function Stopped({ error }: { error: unknown }) {
  return (
    <main className="alone broken">
      <h1>{t`This page can't be shown`}</h1>
      <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
      <ErrorActions error={error} />
    </main>
  );
}

/** Works without the router and without any loaded data. */
function ErrorActions({ error, componentStack }: { error: unknown; componentStack?: string | undefined }) {
  const isBug = !(error instanceof ApiError || error instanceof SignedOut || isUnreachable(error));
  const details = isBug ? detailsOf(error, componentStack) : undefined;
  return (
    <>
      <div className="row">
        <Button onClick={() => location.reload()}>{t`Reload the page`}</Button>
        <a className="button plain" href={`${basePath}/`}>
          {t`Go to the home page`}
        </a>
        {details && <CopyButton text={details} subject={t`Details`} label={t`Copy the details`} />}
      </div>
      {details && (
        <details>
          <summary>{t`Details`}</summary>
          <pre>{details}</pre>
        </details>
      )}
    </>
  );
}

/** Leaves out the query string, because filters may contain names. */
function detailsOf(error: unknown, componentStack: string | undefined): string {
  const { stack, message } = error instanceof Error ? error : { stack: undefined, message: String(error) };
  const stackText = stack?.includes(message)
    ? stack
    : `${error instanceof Error ? error.name : ''} ${message}\n${stack ?? ''}`;
  return [
    `${location.pathname}, ${new Date().toISOString()}`,
    `${navigator.userAgent}, ${navigator.languages.join(' ')}`,
    stackText.trim(),
    componentStack?.trim() ?? '',
  ]
    .join('\n')
    .trim();
}
