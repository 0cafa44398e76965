/** Applies the read rules again to replayed responses, because the caller's sign-in may be too old by now to see all fields. */
import type { components } from '../../../../generated/api.ts';
import type { VerifiedToken } from '../../../identity/tokens/verify-token.ts';
import { seesSalaries } from '../../../product/access/hidden-fields.ts';
import { withoutSalaries } from '../../../product/access/import-salaries.ts';
import { canUseField } from '../../../product/access/permissions.ts';
import type { CompanyContext } from '../../handler.ts';
import type { OperationRecord } from '../operation-record.ts';
import type { Reply } from './respond.ts';

interface Reader extends Pick<CompanyContext, 'member'> {
  caller: VerifiedToken;
}

type ImportJob = components['schemas']['ImportJob'];

/** @returns the reply without the fields hidden from the reader; `restricted_fields` lists them */
export function redactReplay(
  reply: Reply,
  { read_rules: readRules }: Pick<OperationRecord, 'read_rules'>,
  reader: Reader,
): Reply {
  const { body, headers } = reply;
  if (typeof body !== 'object' || body === null) return reply;
  // Replays don't know whether the file contains salaries.
  if (isImportJob(body)) return seesSalaries(reader) ? reply : { ...reply, body: withoutSalaries(body, true) };
  const fields = body as Record<string, unknown> & { id?: string; restricted_fields?: string[] };
  const hidden = [...readRules].flatMap(([field, rule]) => {
    return canUseField(rule, reader.caller, reader.member, fields.id) ? [] : field;
  });
  const values = visibleValues(fields.custom_fields, fields.id, reader);
  const removed = [...hidden.filter((field) => Object.hasOwn(fields, field)), ...values.removed];
  if (removed.length === 0) return reply;
  const visibleFields = values.removed.length > 0 ? { ...fields, custom_fields: values.visible } : fields;
  const remaining = Object.entries(visibleFields).filter(([field]) => !removed.includes(field));
  const restrictedFields = [...(fields.restricted_fields ?? []), ...removed];
  // The tag is a hash of the original content: a caller could find the hidden value by trying candidates.
  const { ETag: _, ...others } = headers ?? {};
  return { ...reply, headers: others, body: { ...Object.fromEntries(remaining), restricted_fields: restrictedFields } };
}

function isImportJob(body: object): body is ImportJob {
  return Object.hasOwn(body, 'error_report_url');
}

/** Values of custom fields that still exist and that the reader may see. */
function visibleValues(values: unknown, id: string | undefined, { caller, member }: Reader) {
  const entries = Object.entries((values ?? {}) as Record<string, unknown>);
  const isVisible = ([key]: [string, unknown]) => {
    const readers = member.fields.byKey.get(key)?.readers;
    return readers !== undefined && canUseField(readers, caller, member, id);
  };
  const removed = entries.filter((entry) => !isVisible(entry)).map(([key]) => `custom_fields.${key}`);
  return { visible: Object.fromEntries(entries.filter(isVisible)), removed };
}
