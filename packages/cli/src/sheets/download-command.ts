/** `download`: downloads a file of the service by kind and id. */

import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import type { ExportJob, ImportJob, ImportTemplate, StoredDocument } from '../service/responses.ts';
import { type CliContext, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import { fetchFile } from './download.ts';
import { suggestedName, writableFile } from './user-files.ts';

export interface DownloadOptions extends ApiOptions, OutputOptions {
  output?: string;
  force?: boolean;
  /** Id of the collaborator, for documents. */
  collaborator?: string;
}

interface DownloadTarget {
  name: string;
  url: string;
  size: number | null;
}

export async function downloadFile(
  context: CliContext,
  kind: string,
  id: string | undefined,
  options: DownloadOptions,
): Promise<void> {
  checkUsage(kind, id, options);
  if (options.output !== undefined) await writableFile(context, options.output, options);
  const api = await openApi(context, options);
  await interruptible(async (signal) => {
    const { name, url, size } = await resolveTarget(api, kind, id ?? '', options, signal);
    const file = options.output ?? suggestedName(name);
    await writableFile(context, file, options);
    const bytes = await fetchFile(url, pathAt(context, file), size, signal);
    print(options, { file, bytes }, `${file}: ${bytes} bytes.`);
  });
}

function checkUsage(kind: string, id: string | undefined, { collaborator }: DownloadOptions): void {
  if ((id === undefined) !== (kind === 'import-template')) {
    throw new CliError(id === undefined ? `which ${kind}? Pass its ID` : 'the template has no ID', 2);
  }
  if ((kind === 'document') !== (collaborator !== undefined)) {
    throw new CliError('--collaborator is required for documents, and only for documents', 2);
  }
}

async function resolveTarget(
  api: Api,
  kind: string,
  id: string,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<DownloadTarget> {
  const read = async <T>(path: string) => (await api.request<T>('GET', path, { signal })).body;
  const key = encodeURIComponent(id);
  if (kind === 'import-template') {
    const format = options.output?.toLowerCase().endsWith('.csv') ? 'csv' : 'xlsx';
    const { filename, url } = await read<ImportTemplate>(`/v1/collaborators/import-template?format=${format}`);
    return { name: filename, url, size: null };
  }
  if (kind === 'document') {
    return read<StoredDocument>(`/v1/collaborators/${encodeURIComponent(options.collaborator!)}/documents/${key}`);
  }
  if (kind === 'export') {
    const { filename, url, size, status } = await read<ExportJob>(`/v1/exports/${key}`);
    if (!url)
      throw new CliError(url === null ? `the export is ${status} and has no file` : 'this sign-in lacks access to it');
    return { name: filename, url, size };
  }
  const { filename, error_report_url: url } = await read<ImportJob>(`/v1/imports/${key}`);
  if (url === undefined) throw new CliError('the error report has salaries and requires the scope salary:read');
  if (url === null) throw new CliError('the import has no errors, so there is no report');
  return { name: `errors-${filename.replace(/\.\w+$/, '')}.xlsx`, url, size: null };
}
