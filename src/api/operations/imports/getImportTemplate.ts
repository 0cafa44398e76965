import { contract } from '../../../contract/contract.ts';
import { canUseField, fieldRules } from '../../../product/access/permissions.ts';
import { makeTemplate } from '../../../product/imports/template/import-template.ts';
import type { Handler } from '../../handler.ts';

const salary = fieldRules(contract.components.schemas.CollaboratorCreate!, 'x-write-access').get('salary')!;

export const getImportTemplate: Handler<'getImportTemplate'> = async ({ query }, context) => {
  const { tenant, caller, member, files } = context;
  const { format = 'xlsx', language = context.language() } = query;
  const mayWriteSalary = canUseField(salary, { scopes: caller.scopes, lacks: undefined }, member, undefined);
  return {
    status: 200,
    body: await makeTemplate(tenant, member, files, { format, language, may_write_salary: mayWriteSalary }),
  };
};
