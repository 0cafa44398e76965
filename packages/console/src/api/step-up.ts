/**
 * What a company asks a recent sign-in for (RFC 9470, `x-step-up` of the contract): the request waits, the person signs in again
 * in a window of their own, and the request is sent once more. `parts/again.tsx` asks them.
 */
import { signInBeside, type Wanted } from './sign-in.ts';

/** A sign-in that requests wait for. */
interface Asked {
  /** In the words of the service. */
  message: string;
  wanted: Wanted;
  /** Whether it was done. */
  done: Promise<boolean>;
  end(done: boolean): void;
}

let asked: Asked | undefined;
const listeners = new Set<() => void>();

/** Several requests wait for the same sign-in. @returns false when the person does not want to */
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

/** To be called while a press of a button is handled. @throws WindowClosed, SignInRefused: it can be tried again */
export async function signInNow(): Promise<void> {
  const { wanted, end } = asked!;
  await signInBeside(wanted);
  end(true);
}

export function declineSignIn(): void {
  asked?.end(false);
}

export function askedSignIn(): Asked | undefined {
  return asked;
}

/** @returns ends it */
export function onAskedSignIn(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell(now: Asked | undefined): void {
  asked = now;
  for (const listener of listeners) listener();
}
