/** Defines custom fields of a company. */
import type { components } from '../../../generated/api.ts';
import { forgetMembers } from '../../../src/identity/members/member.ts';
import type { TestApp, TestClient } from '../app.ts';

type Create = components['schemas']['CustomFieldCreate'];
type NewField = Omit<Create, 'label'> & Partial<Pick<Create, 'label'>>;

export const fieldsPath = '/v1/custom-fields';

export async function defineField(client: Pick<TestClient, 'post'>, field: NewField) {
  const { body } = await client.post(fieldsPath, { label: { default: field.key }, ...field }).expect(201);
  return body as components['schemas']['CustomField'];
}

/** Resets every company to having no custom fields and no values. */
export async function clearFields({ database }: Pick<TestApp, 'database'>): Promise<void> {
  await database.query('delete from custom_field_values');
  await database.query('update collaborators set custom_fields = null');
  const empty = `update custom_field_sets set definitions = '[]', version = gen_random_uuid() returning company_id`;
  const cleared = await database.query<{ company_id: string }>(empty);
  for (const { company_id: id } of cleared) forgetMembers(id); // members are cached with the company's fields
}

const options = ['s', 'm', 'l'].map((key) => ({ key, label: { default: key.toUpperCase() } }));

/** One field per type, readable by everyone and writable by admins only. */
export const oneOfEach: readonly NewField[] = (
  ['text', 'long_text', 'number', 'boolean', 'date', 'choice', 'multi_choice', 'email', 'url', 'phone'] as const
).map((type) => ({ key: `a_${type}`, type, read: 'employee', ...(type.includes('choice') && { options }) }));

export const valueOfEach = {
  a_text: 'Árvore',
  a_long_text: 'One line\nand another',
  a_number: 12.5,
  a_boolean: false,
  a_date: '2026-02-28',
  a_choice: 'm',
  a_multi_choice: ['s', 'l'],
  a_email: 'ana@private.example',
  a_url: 'https://ana.example/',
  a_phone: '+55 11 91234-5678',
};
