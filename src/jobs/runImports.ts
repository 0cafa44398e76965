/** Carries out the imports of a company. */
import type { Task } from 'graphile-worker';
import { runImports as run } from '../imports/run.ts';
import type { Workshop } from '../imports/turn.ts';

/** @param stopping aborted when the worker stops */
export function runImports(shop: Workshop, stopping: AbortSignal): Task {
  return async (payload) => {
    const { company_id } = payload as { company_id: string };
    await run(shop, company_id, stopping);
  };
}
