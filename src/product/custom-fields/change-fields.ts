/** Defines, changes, and archives custom fields. Values stay, except if a field becomes unique. Deleting: `delete-field.ts`. */
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { components } from '../../../generated/api.ts';
import { t } from '../../contract/languages/text.ts';
import { insufficientScope, notFound, Problem, validationError } from '../../contract/problem.ts';
import {
  type CompanyFields,
  type FieldDefinition,
  readFields,
  sensitiveScope,
} from '../../identity/members/company-fields.ts';
import type { Caller } from '../../identity/members/member.ts';
import type { Tenant, TenantTransaction } from '../../platform/db/tenant.ts';
import { notifyAccessChanged } from '../../platform/notify/listen.ts';
import { newId } from '../../platform/values/ids.ts';
import type { EventName } from '../events/catalogue.ts';
import { emit } from '../events/emit.ts';
import { definitionErrors } from './definition-errors.ts';
import { fieldEtag, fieldResponse, lockDefinitions } from './definitions.ts';
import { fillUniqueValues, forgetUniqueValues } from './unique-values.ts';

const maxActive = 100;
const maxFields = 200;

type Actor = { user_id: string };
type FieldEventName = Extract<EventName, `custom_field.${string}`>;
export type StoredDefinition = { fields: CompanyFields; definition: FieldDefinition };

type NewField = components['schemas']['CustomFieldCreate'];
type Label = components['schemas']['CustomFieldLabelInput'];

/** @throws 400 with every error; 409 at the maximum per company */
export async function createField(tenant: Tenant, actor: Actor | null, input: NewField): Promise<StoredDefinition> {
  return tenant.transaction(async (tx) => {
    await lockDefinitions(tx);
    const { all } = await readFields(tx);
    const now = new Date().toISOString();
    const definition: FieldDefinition = {
      key: input.key,
      label: fullLabel(input.label),
      description: input.description ?? null,
      type: input.type,
      options: fullOptions(input.options),
      required: input.required ?? false,
      unique: input.unique ?? false,
      read: input.read ?? 'admin',
      write: input.write ?? 'admin',
      sensitive: input.sensitive ?? false,
      archived: false,
      created_at: now,
      updated_at: now,
    };
    const errors = definitionErrors(definition, undefined);
    if (all.some(({ key }) => key === input.key)) {
      errors.key = [{ code: 'taken', message: t`Another field of the company has this key.` }];
    }
    if (Object.keys(errors).length > 0) throw validationError(errors);
    if (all.length >= maxFields) {
      throw new Problem(
        409,
        'conflict',
        t`A company can have ${maxFields} custom fields, including archived ones. Delete one first.`,
      );
    }
    requireRoom(all);
    return store(
      tx,
      actor,
      'custom_field.created',
      [...all.filter(isVisible), definition, ...all.filter(isHidden)],
      input.key,
    );
  });
}

/** Without read-only fields, which were checked. */
type FieldChange = Pick<
  components['schemas']['CustomFieldUpdate'],
  'label' | 'description' | 'options' | 'required' | 'unique' | 'read' | 'write' | 'position' | 'archived'
>;

/** @throws 400, 403 without the scope for sensitive fields, 404, 409 if too many would be active, 412 */
export async function changeField(
  tenant: Tenant,
  caller: Caller & Actor,
  key: string,
  { position, label, options, ...plain }: FieldChange,
  expected: readonly string[] | undefined,
): Promise<StoredDefinition> {
  return tenant.transaction(async (tx) => {
    await lockDefinitions(tx);
    const fields = await readFields(tx);
    const before = changeable(fields, key, expected);
    const updated: FieldDefinition = {
      ...before,
      ...withoutUndefined(plain),
      ...(label && { label: fullLabel(label) }),
      ...(options && { options: fullOptions(options) }),
    };
    const changesAccess = updated.read !== before.read || updated.write !== before.write;
    if (before.sensitive && changesAccess) requireSensitiveScope(caller);
    const errors = definitionErrors(updated, before);
    if (Object.keys(errors).length > 0) throw validationError(errors);
    if (before.archived && !updated.archived) requireRoom(fields.all);
    // Archived fields don't track unique values, so rebuild them.
    const [wasTracked, isTracked] = [before, updated].map(({ unique, archived }) => unique && !archived);
    if (isTracked && !wasTracked) await fillUniqueValues(tx, updated);
    if (wasTracked && !isTracked) await forgetUniqueValues(tx, key);

    const isChanged = !isDeepStrictEqual(updated, before);
    const definition = isChanged ? { ...updated, updated_at: new Date().toISOString() } : before;
    const order = reordered(fields.all, before, definition, position);
    if (!isChanged && isDeepStrictEqual(order, fields.all)) return { fields, definition: before };
    const isArchived = updated.archived && !before.archived;
    return store(tx, caller, isArchived ? 'custom_field.archived' : 'custom_field.updated', order, key);
  });
}

/** @throws 404, also for a field being deleted; 412 if no tag matches */
export function changeable(
  fields: CompanyFields,
  key: string,
  expected: readonly string[] | undefined,
): FieldDefinition {
  const found = fields.all.find((field) => field.key === key && !field.deletion);
  if (!found) throw notFound();
  if (expected && !expected.includes(fieldEtag(fields, found))) {
    throw new Problem(412, 'precondition_failed', t`The field has changed since you read it. Read it again.`);
  }
  return found;
}

/** @throws 403 */
export function requireSensitiveScope({ scopes }: Caller): void {
  if (!scopes.includes(sensitiveScope)) throw insufficientScope([sensitiveScope]);
}

/** Writes the custom fields, emits the event, and notifies processes that cache them. */
export async function store(
  tx: TenantTransaction,
  actor: Actor | null,
  event: FieldEventName,
  all: readonly FieldDefinition[],
  key: string,
): Promise<StoredDefinition> {
  await write(tx, all);
  const fields = await readFields(tx);
  const definition = fields.all.find((field) => field.key === key)!;
  emit(tx, event, { field: fieldResponse(fields, definition), changed_by: actor?.user_id ?? null });
  return { fields, definition };
}

export async function write(tx: TenantTransaction, all: readonly FieldDefinition[]): Promise<void> {
  const [version, definitions] = [newId(), JSON.stringify(all)];
  await sql`
    insert into custom_field_sets (company_id, version, definitions)
    values (${tx.company_id}::uuid, ${version}::uuid, ${definitions}::jsonb)
    on conflict (company_id) do update set version = excluded.version, definitions = excluded.definitions`.execute(
    tx.raw,
  );
  await notifyAccessChanged(tx.raw, { company_id: tx.company_id });
}

/** Archived fields, and those being deleted, come last. */
function reordered(
  all: readonly FieldDefinition[],
  before: FieldDefinition,
  definition: FieldDefinition,
  position: number | undefined,
): FieldDefinition[] {
  if (isVisible(before) && isVisible(definition) && position === undefined)
    return all.map((field) => (field === before ? definition : field));
  const others = all.filter((field) => field !== before);
  const [visible, hidden] = [others.filter(isVisible), others.filter(isHidden)];
  if (isHidden(definition)) return [...visible, ...hidden, definition];
  const at = Math.min((position ?? visible.length + 1) - 1, visible.length);
  return [...visible.slice(0, at), definition, ...visible.slice(at), ...hidden];
}

function isHidden({ archived, deletion }: FieldDefinition): boolean {
  return archived || deletion !== undefined;
}

function isVisible(definition: FieldDefinition): boolean {
  return !isHidden(definition);
}

function requireRoom(all: readonly FieldDefinition[]): void {
  if (all.filter(isVisible).length < maxActive) return;
  throw new Problem(409, 'conflict', t`A company can have ${maxActive} custom fields. Archive one first.`);
}

function fullLabel({ default: defaultLabel, en, pt, es }: Label): FieldDefinition['label'] {
  return { default: defaultLabel, en: en ?? null, pt: pt ?? null, es: es ?? null };
}

function fullOptions(options: NewField['options'] = []): FieldDefinition['options'] {
  return options.map(({ key, label, retired }) => ({ key, label: fullLabel(label), retired: retired ?? false }));
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
