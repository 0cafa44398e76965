/**
 * Step-up authentication (RFC 9470, `x-step-up` of the contract): the request waits while the user signs in again in a popup,
 * then is retried. `parts/again.tsx` is the dialog.
 */
import { signInInPopup, type Wanted } from './sign-in.ts';

interface Asked {
  message: string;
  wanted: Wanted;
  /** Resolves to whether the user signed in. */
  done: Promise<boolean>;
  end(done: boolean): void;
}

let asked: Asked | undefined;
const listeners = new Set<() => void>();

/** Concurrent requests share one sign-in. @returns false when the user declines */
export function recentSignIn(message: string, wanted: Wanted): Promise<boolean> {
  if (!asked) {
    let resolve: (done: boolean) => void;
    const done = new Promise<boolean>((settle) => {
      resolve = settle;
    });
    const end = (isDone: boolean) => {
      tell(undefined);
      resolve(isDone);
    };
    tell({ message, wanted, done, end });
  }
  return asked!.done;
}

/** Call it from a click handler. @throws WindowClosed, SignInRefused: the user can try again */
export async function signInNow(): Promise<void> {
  const { wanted, end } = asked!;
  await signInInPopup(wanted);
  end(true);
}

export function declineSignIn(): void {
  asked?.end(false);
}

export function askedSignIn(): Asked | undefined {
  return asked;
}

/** @returns the unsubscribe function */
export function onAskedSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(now: Asked | undefined): void {
  asked = now;
  for (const listener of listeners) listener();
}
