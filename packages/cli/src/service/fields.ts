/** `fields`: a company's custom fields. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';
import { note, type OutputOptions, print, table } from '../terminal/output.ts';
import { promptConfirmation } from '../terminal/prompt.ts';
import { type Api, type ApiOptions, openApi } from './api.ts';
import type { CursorPage, CustomField } from './responses.ts';

type Options = ApiOptions & OutputOptions;

/** Order is significant. */
type Pairs = [name: string, value: string][];

/** Definition of a field; omitted settings stay unchanged. */
export interface FieldSettings {
  label?: string;
  /** By language: en, pt, es. */
  labelIn?: Pairs;
  description?: string;
  /** New options of a choice: key and label. */
  option?: Pairs;
  /** Keys of options to retire: existing values stay, new ones are refused. */
  retire?: string[];
  required?: boolean;
  unique?: boolean;
  read?: string;
  write?: string;
  position?: number;
}

const path = '/v1/custom-fields';
const pollIntervalMs = 500;

export async function list(
  context: CliContext,
  { archived, ...options }: Options & { archived?: boolean },
): Promise<void> {
  const api = await openApi(context, options);
  const data: CustomField[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ limit: '100', ...(archived && { include_archived: 'true' }) });
    if (cursor) query.set('cursor', cursor);
    const { body }: { body: CursorPage<CustomField> } = await api.request('GET', `${path}?${query}`);
    data.push(...body.data);
    cursor = body.pagination.nextCursor;
  }
  print(options, { data }, fieldTable(data));
}

export async function create(
  context: CliContext,
  key: string,
  options: Options & FieldSettings & { type: string; sensitive?: boolean },
): Promise<void> {
  const api = await openApi(context, options);
  const { type, sensitive, label = key } = options;
  const json = { key, type, ...(sensitive && { sensitive }), ...settingsOf({ ...options, label }, undefined) };
  const { body } = await api.request<CustomField>('POST', path, { json });
  print(options, body, fieldTable([body]));
}

/** @throws CliError when there is nothing to change */
export async function update(context: CliContext, key: string, options: Options & FieldSettings): Promise<void> {
  const api = await openApi(context, options);
  const { body: before } = await api.request<CustomField>('GET', fieldPath(key));
  const json = settingsOf(options, before);
  if (Object.keys(json).length === 0) throw new CliError('nothing to change: pass a setting, such as --label', 2);
  await change(api, key, json, options);
}

export async function setArchived(
  context: CliContext,
  key: string,
  archived: boolean,
  options: Options,
): Promise<void> {
  await change(await openApi(context, options), key, { archived }, options);
}

/** Asks the user to type the key unless `--confirm` has it, and waits until all values are deleted. */
export async function remove(context: CliContext, key: string, options: Options & { confirm?: string }): Promise<void> {
  const api = await openApi(context, options);
  const { confirm = (await isConfirmed(key)) ? key : undefined } = options;
  if (confirm === undefined) throw new CliError(`nothing was deleted: confirm with --confirm ${key}`, 2);
  const query = new URLSearchParams({ confirm });
  const { body: started } = await api.request<CustomField>('DELETE', `${fieldPath(key)}?${query}`);
  for (let field: CustomField | undefined = started; field; field = await fetchIfExists(api, key)) {
    const { people_done: done = 0, people_total: total = 0 } = field.deletion ?? {};
    if (!options.json && total > 0) note(`Erasing values: ${done} of ${total} people`);
    await sleep(pollIntervalMs);
  }
  print(options, { deleted: key }, `${key} was deleted, with all its values.`);
}

async function fetchIfExists(api: Api, key: string): Promise<CustomField | undefined> {
  const response = await api.send({ method: 'GET', path: fieldPath(key) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new CliError(`${fieldPath(key)} returned ${response.status}; the deletion continues`);
  return (await response.json()) as CustomField;
}

async function isConfirmed(key: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  return promptConfirmation(
    `Delete ${key} and all its values? This can't be undone. [y/N] `,
    process.stdin,
    process.stderr,
  );
}

async function change(api: Api, key: string, json: object, options: OutputOptions): Promise<void> {
  const { body } = await api.request<CustomField>('PATCH', fieldPath(key), { json });
  print(options, body, fieldTable([body]));
}

function fieldPath(key: string): string {
  return `${path}/${encodeURIComponent(key)}`;
}

/** Builds the request body. The API replaces options and labels as a whole, so existing ones are merged in. */
function settingsOf(settings: FieldSettings, before: CustomField | undefined): Record<string, unknown> {
  const { label, labelIn = [], description, option = [], retire = [], required, unique } = settings;
  const { read, write, position } = settings;
  const languages = Object.fromEntries(labelIn);
  const labels =
    label !== undefined || labelIn.length > 0
      ? { ...before?.label, ...(label !== undefined && { default: label }), ...languages }
      : undefined;
  const known = before?.options ?? [];
  const missing = retire.find((key) => !known.some((each) => each.key === key));
  if (missing !== undefined) throw new CliError(`unknown option ${missing}`, 2);
  const existingOptions = known.map((each) => (retire.includes(each.key) ? { ...each, retired: true } : each));
  const added = option.map(([key, text]) => ({ key, label: { default: text } }));
  const options = option.length + retire.length > 0 ? [...existingOptions, ...added] : undefined;
  const all = { label: labels, description, options, required, unique, read, write, position };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function fieldTable(fields: CustomField[]): string {
  const rows = fields.map((field) => {
    const { key, label, type, options, read, write, archived, deletion } = field;
    const marks = (['required', 'unique', 'sensitive'] as const).filter((name) => field[name]);
    const state = deletion ? ['being deleted'] : archived ? ['archived'] : [];
    const choices = options.map((option) => (option.retired ? `${option.key} (retired)` : option.key));
    return [key, label.default, type, read, write, [...marks, ...state].join(', '), choices.join(', ')];
  });
  return table(['KEY', 'LABEL', 'TYPE', 'READ', 'WRITE', 'RULES', 'OPTIONS'], rows, 'There are no custom fields.');
}
