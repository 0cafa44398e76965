// Operations on one person, or a few at once.
import type { ApiRequest } from '../client.ts';
import { counted } from '../model.ts';
import type { Staff } from '../staff.ts';

export function peopleOperations(staff: Staff) {
  const { client, model, trafficLog, random } = staff;
  const { company_id: companyId } = client;
  const operations = {
    async create() {
      const fields = { ...staff.newFields(), phone: '+351 210 000 000', salary: random.below(90_000) };
      const response = await client.send('create', { method: 'POST', path: '/v1/collaborators', json: fields });
      if (response?.status === 201) staff.addPerson(response.body);
      else if (!response) {
        model.doubts.emails.push({ company_id: companyId, email: fields.email });
        staff.isExact = false;
      }
    },
    async patch() {
      const person = staff.someone();
      if (!person) return operations.create();
      const change = { position: `Position ${staff.unique()}`, salary: 1_000 + staff.serial };
      const path = `/v1/collaborators/${person.id}`;
      await staff.write(person, 'patch', { method: 'PATCH', path, json: change }, 'updated', change);
    },
    async update() {
      const person = staff.someone();
      if (!person) return operations.create();
      const change = { name: `Person ${staff.unique()}`, location: `Room ${staff.serial}`, phone: null };
      const path = `/v1/collaborators/${person.id}`;
      await staff.write(person, 'update', { method: 'PUT', path, json: change }, 'updated', change);
    },
    async role() {
      const person = staff.someone();
      if (!person) return;
      const role = person.fields.role === 'employee' ? 'manager' : 'employee';
      const path = `/v1/collaborators/${person.id}/role`;
      await staff.write(person, 'role', { method: 'POST', path, json: { role } }, 'role_changed', { role });
    },
    async activate() {
      const person = staff.someone(({ fields }) => fields.status === 'pending');
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/activate`;
      await staff.write(person, 'activate', { method: 'POST', path }, 'status_changed', { status: 'active' });
    },
    async deactivate() {
      const person = staff.someone(({ fields }) => fields.status !== 'inactive');
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/deactivate`;
      await staff.write(person, 'deactivate', { method: 'POST', path }, 'status_changed', { status: 'inactive' });
    },
    async delete() {
      const person = staff.someone();
      if (!person) return;
      const request: ApiRequest = { method: 'DELETE', path: `/v1/collaborators/${person.id}`, expected: [404] };
      const response = await staff.write(person, 'delete', request, 'deleted', { deleted: true });
      if (response?.status !== 404) return;
      if (response.repeated) {
        // The earlier attempt was executed.
        person.fields = { ...person.fields, deleted: true };
        counted(person, 'deleted');
      } else trafficLog.violation(`an acknowledged person was not found: ${person.id}`);
    },
    async restore() {
      const deleted = staff.people.filter(({ fields, doubt }) => fields.deleted && !doubt);
      if (deleted.length === 0) return;
      const person = random.pick(deleted);
      const path = `/v1/collaborators/${person.id}/restore`;
      await staff.write(person, 'restore', { method: 'POST', path }, 'restored', { deleted: false });
    },
    bulk: () => bulk(staff),
    async invite() {
      const person = staff.someone(({ fields, invited }) => fields.status === 'pending' && !invited);
      if (!person) return;
      person.invited = true;
      const path = `/v1/collaborators/${person.id}/send-invitation`;
      const response = await staff.write(person, 'invite', { method: 'POST', path }, 'invited', {});
      if (response?.status === 200) model.invited.push(person.fields.email);
    },
  };
  return operations;
}

/** One bulk request with three creations and updates of two known people: all or nothing. */
async function bulk(staff: Staff): Promise<void> {
  const { client, model, trafficLog } = staff;
  const { company_id: companyId } = client;
  const fresh = Array.from({ length: 3 }, staff.newFields);
  const known = staff.availablePeople().slice(0, 2);
  const location = `Bulk ${staff.unique()}`;
  const items = [...fresh, ...known.map(({ fields: { email } }) => ({ email, location }))];
  const json = { mode: 'upsert', items };
  const response = await client.send('bulk', { method: 'POST', path: '/v1/collaborators/bulk', json });
  if (!response) {
    staff.isExact = false;
    for (const { email } of fresh) model.doubts.emails.push({ company_id: companyId, email });
    for (const person of known) person.doubt = { action: 'updated', fields: { ...person.fields, location } };
    return;
  }
  const { summary, results } = response.body;
  if (summary?.succeeded !== items.length) {
    trafficLog.violation(`a bulk request was carried out in part: ${JSON.stringify(summary ?? response.body)}`);
    staff.isExact = false;
    return;
  }
  for (const [at, fields] of fresh.entries()) {
    const rest = { phone: null, location: null, salary: null, status: 'pending', role: 'employee' };
    staff.addPerson({ id: results[at].id, ...fields, ...rest });
  }
  for (const person of known) {
    person.fields = { ...person.fields, location };
    counted(person, 'updated');
  }
}
