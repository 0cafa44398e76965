/** Dialog that asks for a recent sign-in; the waiting request then continues by itself. */
import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { WindowClosed } from '../../api/client/popup.ts';
import { declineSignIn, onPendingSignIn, pendingSignIn, signInNow } from '../../api/client/step-up.ts';
import { Confirm } from '../dialog.tsx';
import { t } from '../translate.ts';

export function StepUpDialog() {
  const pending = useSyncExternalStore(onPendingSignIn, pendingSignIn);
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: signInNow });
  if (!pending) return null;
  return (
    <Confirm
      open
      title={t`Sign in again to do this`}
      about={pending.message}
      actionLabel={isPending ? t`Waiting for the other window …` : t`Sign in again`}
      busy={isPending}
      locked={false}
      error={error instanceof WindowClosed ? undefined : error}
      onClose={() => {
        declineSignIn();
        reset();
      }}
      onConfirm={() => mutate()}
    >
      <p>{t`A window opens to sign in. Your input stays here, and the action continues afterwards.`}</p>
    </Confirm>
  );
}
