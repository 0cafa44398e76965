/**
 * Step-up authentication (RFC 9470, `x-step-up` of the contract): the request waits while the user signs in again in a popup,
 * then is retried. `parts/frame/step-up-dialog.tsx` is the dialog.
 */
import { type SignInRequirements, signInInPopup } from './sign-in.ts';

interface StepUpRequest {
  message: string;
  requirements: SignInRequirements;
  /** Resolves to whether the user signed in. */
  done: Promise<boolean>;
  finish(done: boolean): void;
}

let pending: StepUpRequest | undefined;
const listeners = new Set<() => void>();

/** Concurrent requests share one sign-in. @returns false when the user declines */
export function requestRecentSignIn(message: string, requirements: SignInRequirements): Promise<boolean> {
  if (!pending) {
    let resolve: (done: boolean) => void;
    const done = new Promise<boolean>((settle) => {
      resolve = settle;
    });
    const finish = (isDone: boolean) => {
      setPending(undefined);
      resolve(isDone);
    };
    setPending({ message, requirements, done, finish });
  }
  return pending!.done;
}

/** Call it from a click handler. @throws WindowClosed, SignInRefused: the user can try again */
export async function signInNow(): Promise<void> {
  const { requirements, finish } = pending!;
  await signInInPopup(requirements);
  finish(true);
}

export function declineSignIn(): void {
  pending?.finish(false);
}

export function pendingSignIn(): StepUpRequest | undefined {
  return pending;
}

/** @returns the unsubscribe function */
export function onPendingSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setPending(request: StepUpRequest | undefined): void {
  pending = request;
  for (const listener of listeners) listener();
}
