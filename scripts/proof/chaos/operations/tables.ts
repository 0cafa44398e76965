// Imports and exports.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Staff } from '../staff.ts';
import { formOf } from './form.ts';

const importRows = 25;

export function tableOperations(staff: Staff) {
  const { number, department, client, model, trafficLog } = staff;
  const { company_id: companyId } = client;
  return {
    async import() {
      const people = Array.from({ length: importRows }, staff.newFields);
      const head = ['name', 'email', 'position', 'department'] as const;
      const rows = people.map((each) => ({ ...each, department: `Import ${number}` }));
      const csv = [head.join(','), ...rows.map((row) => head.map((field) => row[field]).join(','))].join('\n');
      const filename = `people-${staff.unique()}.csv`;
      const form = formOf(Buffer.from(csv), filename, 'text/csv', { mode: 'create' });
      const path = '/v1/collaborators/import';
      const response = await client.send('import', { method: 'POST', path, form, expected: [409] });
      if (response && response.status !== 202) return; // the limit of ten open jobs is reached
      model.imports.push({
        company_id: companyId,
        id: response?.body.id,
        emails: people.map(({ email }) => email),
        filename,
      });
      for (let look = 0; response && look < 3; look++) {
        await sleep(500);
        const job = await client.send('getImport', { method: 'GET', path: `/v1/imports/${response.body.id}` });
        if (!job || job.body.completed_at) return;
      }
    },
    async export() {
      const path = `/v1/collaborators/export/list?format=csv&department=${encodeURIComponent(department)}`;
      const response = await client.send('export', { method: 'GET', path });
      if (response?.status !== 200) return;
      const bytes = await client.download('downloadExport', response.body.url);
      const people = bytes && String(bytes).trim().split('\n').length - 1;
      const expectedRows = staff.people.filter(({ fields }) => !fields.deleted).length;
      if (staff.isExact && people !== undefined && people !== expectedRows) {
        trafficLog.violation(`an export has ${people} of ${expectedRows} people`);
      }
    },
  };
}
