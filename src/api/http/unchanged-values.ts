/** For each operation that changes a record: whether a body value equals what responses show this caller. */
import { isDeepStrictEqual } from 'node:util';
import type { FieldDefinition } from '../../identity/members/company-fields.ts';
import type { CollaboratorRow } from '../../product/access/records.ts';
import { type AppRow, appResponse } from '../../product/apps/apps.ts';
import { visibleValueMatcher } from '../../product/collaborators/responses/unchanged-values.ts';
import { companyResponse, readCompany } from '../../product/companies/company-response.ts';
import { fieldResponse } from '../../product/custom-fields/definitions.ts';
import { type WebhookRow, webhookResponse } from '../../product/webhooks/subscriptions/subscriptions.ts';
import { readerLanguage } from './responses/reader-language.ts';
import type { UnchangedCheck, UnchangedChecks } from './steps/strip-unchanged.ts';

const collaborator: UnchangedCheck = ({ resource, caller, company }, { files }) => {
  const { collaborator } = resource.context as { collaborator: CollaboratorRow };
  return visibleValueMatcher(collaborator, { caller, ...company!, files });
};

const webhook: UnchangedCheck = ({ resource, requestLog, headers }, { webhooks }) => {
  const { webhook: row } = resource.context as { webhook: WebhookRow };
  return equals(webhookResponse(row, webhooks, readerLanguage(requestLog, headers)));
};

const company: UnchangedCheck = async ({ company }) => {
  return equals(companyResponse(await readCompany(company!.tenant)));
};

const app: UnchangedCheck = ({ resource }) => {
  return equals(appResponse((resource.context as { app: AppRow }).app));
};

const customField: UnchangedCheck = ({ company, resource }) => {
  const { customField: field } = resource.context as { customField: FieldDefinition };
  return equals(fieldResponse(company!.member.fields, field));
};

function equals(view: object) {
  const shown = new Map<string, unknown>(Object.entries(view));
  return (field: string, value: unknown) => shown.has(field) && isDeepStrictEqual(shown.get(field), value);
}

export const unchangedChecks: UnchangedChecks = {
  updateCollaborator: collaborator,
  patchCollaborator: collaborator,
  updateCompany: company,
  updateApp: app,
  updateCustomField: customField,
  updateWebhook: webhook,
};
