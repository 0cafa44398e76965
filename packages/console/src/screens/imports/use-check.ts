import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { cancelImport, checkFile, type Import, type ImportOptions } from '../../api/imports.ts';
import { isReady } from './import-state.ts';
import { keepFile } from './kept-file.ts';

interface Asked {
  file: File;
  options: ImportOptions;
}

/**
 * Has a file checked, and shows what comes of it.
 * @param before the check that this one is in place of: it is not needed any more
 */
export function useCheck(company: string, before?: Import) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async ({ file, options }: Asked) => {
      // As it is now: a program may write the file anew while it is looked at, and then the browser does not read it any more.
      const copy = new File([await file.arrayBuffer()], file.name, { type: file.type });
      const job = await checkFile(company, copy, options);
      keepFile({ import_id: job.id, file: copy, options });
      return job;
    },
    onSuccess: async (job) => {
      queries.setQueryData([company, 'imports', job.id], job);
      await navigate({ to: '/$company/imports/$import', params: { company, import: job.id } });
      if (before && isReady(before)) await cancelImport(company, before.id).catch(() => {}); // it ends by itself, later
      await queries.invalidateQueries({ queryKey: [company, 'imports'] });
    },
  });
}
