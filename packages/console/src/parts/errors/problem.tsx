/** Error message from the service, with the request id for support. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client/client.ts';
import { sessionQuery } from '../../api/client/session.ts';
import { SignedOut, SignInRefused, signInAgain, signInInPopup } from '../../api/client/sign-in.ts';
import { Button } from '../button.tsx';
import { CopyButton } from '../copy-button.tsx';
import { fieldLabels } from '../names.ts';
import { t } from '../translate.ts';
import { ExplainedError } from './explained-error.ts';
import { TechnicalDetails } from './technical-details.tsx';

interface ProblemProps {
  error: unknown;
  retry?: (() => void) | undefined;
  /** Form field labels, if not those of people. */
  names?: () => Readonly<Record<string, string>>;
  /** Precedes the title where several errors may be visible, such as the name of a file. */
  subject?: string;
  /** Of a screen that crashed. */
  componentStack?: string | undefined;
}

export function Problem({ error, retry, names, subject, componentStack }: ProblemProps) {
  const queries = useQueryClient();
  const { title, message } = textOf(error);
  const needsSignIn = hasEnded(error) || isStepUp(error);
  const [solved, setSolved] = useState<unknown>();
  const signIn = async () => {
    const user = queries.getQueryData(sessionQuery.queryKey);
    if (!isStepUp(error) && !user) return signInAgain();
    await signInInPopup(isStepUp(error) ? (error.details ?? {}) : {}, user);
    setSolved(error);
    await queries.invalidateQueries();
    retry?.();
  };
  if (needsSignIn && solved === error) return <p role="status">{t`You're signed in again.`}</p>;
  return (
    <div className="problem" role="alert">
      <p className="problem-title">{subject ? `${subject}: ${title}` : title}</p>
      <p>{message}</p>
      {error instanceof ApiError && <Errors error={error} names={names ?? fieldLabels} />}
      <div className="row">
        {needsSignIn && (
          <Button kind="primary" onClick={() => void signIn().catch(() => {})}>
            {t`Sign in again`}
          </Button>
        )}
        {retry && !needsSignIn && <Button onClick={retry}>{t`Try again`}</Button>}
        {error instanceof ApiError && error.request_id && (
          <span className="request-id">
            {t`Request ID`} <code>{error.request_id}</code>
            <CopyButton text={error.request_id} subject={t`Request ID`} />
          </span>
        )}
      </div>
      {isBug(error) && <TechnicalDetails error={error} componentStack={componentStack} />}
    </div>
  );
}

/** Field errors that no form field shows. */
function Errors({ error, names }: { error: ApiError; names: () => Readonly<Record<string, string>> }) {
  const errors = Object.entries((error.details ?? {}) as Record<string, unknown>).filter(([, each]) =>
    Array.isArray(each),
  ) as [string, { message: string }[]][];
  if (error.code !== 'validation_error' || errors.length === 0) return null;
  return (
    <ul>
      {errors.map(([field, each]) => (
        <li key={field}>
          {labelOf(names(), field)}: {each.map(({ message }) => message).join(' ')}
        </li>
      ))}
    </ul>
  );
}

/** In a group (`saml.entity_id`), the label of the last name; in a list (`redirect_uris.0`), the label of the list. */
function labelOf(names: Readonly<Record<string, string>>, field: string): string {
  const path = field.split('.');
  const known = [field, path.at(-1)!, path[0]!].find((name) => Object.hasOwn(names, name));
  return known === undefined ? field : names[known]!;
}

/** The session has expired, was signed out elsewhere, or its access was revoked. */
function hasEnded(error: unknown): boolean {
  return error instanceof SignedOut || (error instanceof ApiError && error.status === 401 && !isStepUp(error));
}

export function isStepUp(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'insufficient_user_authentication';
}

/** Network errors of `fetch` in Chromium, Firefox, and Safari. Any other TypeError is a bug in the console. */
function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && /^(Failed to fetch$|NetworkError |Load failed|The network )/.test(error.message);
}

export function textOf(error: unknown): { title: string; message: string } {
  if (hasEnded(error)) return { title: t`You're signed out`, message: t`Sign in again to continue.` };
  if (error instanceof ApiError) return { title: titleOf(error), message: error.message };
  if (isUnreachable(error))
    return { title: t`Can't reach the service`, message: t`Check your connection and try again.` };
  if (error instanceof SignInRefused)
    return {
      title: t`You are not signed in`,
      message: error.code === 'access_denied' ? t`The sign-in was canceled.` : t`Sign-in failed.`,
    };
  if (error instanceof ExplainedError) return { title: t`This didn't work`, message: error.message };
  return {
    title: t`Something went wrong in the console`,
    message: t`Reload the page and try again. If it happens again, send the details to support.`,
  };
}

/** An error that only developers understand. */
function isBug(error: unknown): boolean {
  return !(error instanceof ApiError || error instanceof ExplainedError || hasEnded(error) || isUnreachable(error));
}

/** In one line, where there is no room for a `Problem`. */
export function reasonOf(error: unknown): string {
  return (error instanceof ApiError && fieldMessages(error.details)) || textOf(error).message;
}

export function fieldMessages(details: unknown): string {
  return Object.values(details ?? {})
    .flatMap((each) => (Array.isArray(each) ? each.map(({ message }: { message: string }) => message) : []))
    .join(' ');
}

function titleOf({ status, code }: ApiError): string {
  if (code === 'insufficient_user_authentication') return t`Sign in again to do this`;
  if (status === 403) return t`You can't do this`;
  if (status === 404) return t`Not found`;
  if (status === 409 || status === 412) return t`This conflicts with the current state`;
  if (status === 429) return t`Too many requests`;
  return status >= 500 ? t`Something went wrong in the service` : t`The request was refused`;
}
