/** Reports the error of a mutation in a toast if the screen that would show it is gone. */
import type { Mutation, MutationCache } from '@tanstack/react-query';
import { WindowClosed } from '../../api/client/popup.ts';
import { reasonOf } from '../errors/problem.tsx';
import { screenTitle } from '../small.tsx';
import { t } from '../translate.ts';
import { toast } from './toasts.tsx';

interface Origin {
  /** Screen and panel or dialog, for example `Clara Sousa › Photo`. */
  place: string;
  url: string;
  observers: number;
}

export function reportUnseenErrors(mutations: MutationCache): void {
  const origins = new WeakMap<Mutation<unknown, unknown, unknown, unknown>, Origin>();
  mutations.subscribe((event) => {
    if (!event.mutation) return;
    if (event.type === 'added')
      origins.set(event.mutation, { place: placeOf(), url: location.pathname + location.search, observers: 0 });
    const origin = origins.get(event.mutation);
    if (!origin) return;
    if (event.type === 'observerAdded') origin.observers += 1;
    if (event.type === 'observerRemoved') origin.observers -= 1;
    if (event.type === 'updated' && event.action.type === 'error' && origin.observers === 0) {
      report(event.action.error, origin);
    }
  });
}

function report(error: unknown, { place, url }: Origin): void {
  if (error instanceof WindowClosed) return; // by the user
  toast(t`Not completed: ${place}. ${reasonOf(error)}`, url);
}

function placeOf(): string {
  const part = document.activeElement?.closest(':is([role=dialog], section, form)[aria-labelledby]');
  const heading = document.getElementById(part?.getAttribute('aria-labelledby') ?? '');
  return [screenTitle(), heading?.textContent].filter(Boolean).join(' › ');
}
