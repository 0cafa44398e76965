/** `export`: requests an export, waits for it, and downloads the file. */
import { extname } from 'node:path';
import { type Api, type ApiOptions, openApi } from '../service/api.ts';
import type { ExportJob } from '../service/responses.ts';
import { type CliContext, pathAt } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { type OutputOptions, print } from '../terminal/output.ts';
import { fetchFile } from './download.ts';
import { follow } from './follow.ts';
import { suggestedName, writableFile } from './user-files.ts';

const exportFormats = ['xlsx', 'csv', 'json'];

export interface ExportOptions extends ApiOptions, OutputOptions {
  output?: string;
  force?: boolean;
  format?: string;
  /** Language of the headers and the suggested file name. */
  language?: string;
  delimiter?: string;
  /** One sheet per value of this field. */
  groupBy?: string;
  /** Id of the only collaborator to export. */
  collaborator?: string;
  status?: string;
  role?: string;
  department?: string;
  location?: string;
  manager?: string;
  search?: string;
  updatedSince?: string;
  sort?: string;
  /** Comma-separated. */
  fields?: string;
}

export async function exportFile(context: CliContext, options: ExportOptions): Promise<void> {
  const path = pathOf(options);
  if (options.output !== undefined) await writableFile(context, options.output, options);
  const api = await openApi(context, options);
  await interruptible(async (signal) => {
    const job = await runExport(api, path, signal);
    if (!job.url) throw new CliError('this sign-in lacks access to some data in the export');
    const file = options.output ?? suggestedName(job.filename);
    await writableFile(context, file, options);
    const bytes = await fetchFile(job.url, pathAt(context, file), job.size, signal);
    const lines = [`${file}: ${job.row_count} collaborators, ${bytes} bytes.`];
    if (job.omitted.length > 0) lines.push(`Omitted, because you lack access: ${job.omitted.join(', ')}.`);
    print(options, { export: job, file, bytes }, lines.join('\n'));
  });
}

/** Path of the export request; options of other kinds of exports have been rejected before. */
function pathOf(options: ExportOptions): string {
  const { groupBy, collaborator, format = formatOf(options.output) } = options;
  if (groupBy !== undefined && format !== 'xlsx')
    throw new CliError('--group-by requires the format xlsx, with a sheet per group', 2);
  if (options.delimiter !== undefined && format !== 'csv') throw new CliError('--delimiter requires the format csv', 2);
  const query = {
    language: options.language,
    delimiter: options.delimiter,
    format: groupBy === undefined ? format : undefined,
    group_by: groupBy,
    collaborator_id: collaborator,
    status: options.status,
    role: options.role,
    department: options.department,
    location: options.location,
    manager_id: options.manager,
    search: options.search,
    updated_since: options.updatedSince,
    sort: options.sort,
    fields: options.fields,
  };
  const definedParams = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const kind =
    groupBy !== undefined ? 'export-excel/group' : `export/${collaborator === undefined ? 'list' : 'individual'}`;
  return `/v1/collaborators/${kind}?${new URLSearchParams(definedParams)}`;
}

/** Format by file extension. @throws CliError when the extension is no export format */
function formatOf(file?: string): string {
  const extension = extname(file ?? '')
    .slice(1)
    .toLowerCase();
  if (file === undefined || extension === '') return 'xlsx';
  if (exportFormats.includes(extension)) return extension;
  throw new CliError(`exports can't be .${extension}: use .xlsx, .csv, or .json, or pass --format`, 2);
}

async function runExport(api: Api, path: string, signal: AbortSignal): Promise<ExportJob> {
  const { headers } = await api.request('GET', path, { signal });
  // Every kind of export returns a Location header, even if its body has only a URL.
  const jobPath = new URL(headers.get('location')!, api.base_url).pathname;
  const read = async (signal: AbortSignal) => (await api.request<ExportJob>('GET', jobPath, { signal })).body;
  const labels = { queued: 'Queued', processing: 'Writing' };
  const job = await follow(await read(signal), labels, read, signal);
  if (job.status === 'failed') throw new CliError(job.failure!);
  return job;
}
