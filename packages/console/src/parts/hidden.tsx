/** A value that the reader does not see. Where a recent sign-in would show it (RFC 9470), a button asks for one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Refusal } from '../api/client.ts';
import { salariesQuery } from '../api/people.ts';
import { signInBeside } from '../api/sign-in.ts';
import { WindowClosed } from '../api/window.ts';
import { Button } from './button.tsx';
import { isStepUp, Problem } from './problem.tsx';
import { t } from './words.ts';

export function Hidden({ company, field }: { company: string; field: string }) {
  if (field !== 'salary') return <span className="quiet">{t`hidden from you`}</span>;
  return <HiddenSalary company={company} otherwise={<span className="quiet">{t`hidden from you`}</span>} />;
}

/** @param otherwise for readers who would not see salaries after a sign-in either */
export function HiddenSalary({ company, otherwise }: { company: string; otherwise: ReactNode }) {
  const queries = useQueryClient();
  const { error: refusal, isPending } = useQuery(salariesQuery(company));
  const signIn = useMutation({
    mutationFn: async () => {
      if (refusal instanceof Refusal) await signInBeside(refusal.details ?? {});
    },
    onSuccess: () => queries.invalidateQueries(),
  });
  if (isPending) return null;
  if (!isStepUp(refusal)) return otherwise;
  return (
    <>
      <Button kind="quiet" busy={signIn.isPending} onClick={() => signIn.mutate()}>
        {t`Sign in again to see salaries`}
      </Button>
      {signIn.error && !(signIn.error instanceof WindowClosed) && <Problem error={signIn.error} />}
    </>
  );
}
