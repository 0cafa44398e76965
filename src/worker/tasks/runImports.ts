import type { Task } from 'graphile-worker';
import type { ImportTools } from '../../product/imports/import-run.ts';
import { runImports as run } from '../../product/imports/run-imports.ts';

export function runImports(tools: ImportTools, stopping: AbortSignal): Task {
  return async (payload) => {
    const { company_id: companyId } = payload as { company_id: string };
    await run(tools, companyId, stopping);
  };
}
