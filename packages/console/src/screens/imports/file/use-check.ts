import { useMutation, useQueryClient } from '@tanstack/react-query';
import { cancelImport, checkFile, type Import, type ImportOptions } from '../../../api/imports.ts';
import { useLeave } from '../../../parts/fields/unsaved.tsx';
import { isReady } from '../import-state.ts';
import { storeFile } from './uploaded-file.ts';

interface CheckRequest {
  file: File;
  options: ImportOptions;
}

/** Starts a dry run and opens its screen. @param before the dry run that this one replaces, which is canceled */
export function useCheck(company: string, before?: Import) {
  const queries = useQueryClient();
  const leave = useLeave();
  return useMutation({
    mutationFn: async ({ file, options }: CheckRequest) => {
      // Copy the file now: browsers can't read a file that has changed on disk since it was picked.
      const copy = new File([await file.arrayBuffer()], file.name, { type: file.type });
      const job = await checkFile(company, copy, options);
      storeFile({ import_id: job.id, file: copy, options });
      return job;
    },
    onSuccess: async (job) => {
      queries.setQueryData([company, 'imports', job.id], job);
      await leave({ to: '/$company/imports/$import', params: { company, import: job.id } });
      if (before && isReady(before)) await cancelImport(company, before.id).catch(() => {}); // it expires by itself
      await queries.invalidateQueries({ queryKey: [company, 'imports'] });
    },
  });
}
