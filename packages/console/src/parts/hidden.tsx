/** A hidden value. If a recent sign-in would reveal it (RFC 9470), a button starts one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '../api/client/client.ts';
import { WindowClosed } from '../api/client/popup.ts';
import { signInInPopup } from '../api/client/sign-in.ts';
import { hiddenFieldQuery } from '../api/people.ts';
import { Button } from './button.tsx';
import { isStepUp, Problem } from './errors/problem.tsx';
import { t } from './translate.ts';

interface HiddenProps {
  company: string;
  /** API name. */
  field: string;
  /** Whether a recent sign-in may reveal it. */
  isSensitive?: boolean;
}

export function Hidden({ company, field, isSensitive = field === 'salary' }: HiddenProps) {
  const hidden = <span className="quiet">{t`hidden from you`}</span>;
  if (!isSensitive) return hidden;
  return <HiddenField company={company} field={field} fallback={hidden} />;
}

interface HiddenFieldProps {
  company: string;
  field: string;
  /** Shown to readers who would not see it after a sign-in either. */
  fallback: ReactNode;
}

export function HiddenField({ company, field, fallback }: HiddenFieldProps) {
  const queries = useQueryClient();
  const { error: refusal, isPending } = useQuery(hiddenFieldQuery(company, field));
  const signIn = useMutation({
    mutationFn: async () => {
      if (refusal instanceof ApiError) await signInInPopup(refusal.details ?? {});
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  if (isPending) return null;
  if (!isStepUp(refusal)) return fallback;
  return (
    <>
      <Button kind="quiet" busy={signIn.isPending} onClick={() => signIn.mutate()}>
        {field === 'salary' ? t`Sign in again to see salaries` : t`Sign in again to see this field`}
      </Button>
      {signIn.error && !(signIn.error instanceof WindowClosed) && <Problem error={signIn.error} />}
    </>
  );
}
