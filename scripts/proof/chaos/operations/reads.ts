// Read operations: people, lists, histories.
import { differences, fieldsOf } from '../model.ts';
import type { Staff } from '../staff.ts';

export function readOperations(staff: Staff) {
  const { department, client, trafficLog, random } = staff;
  return {
    async listPage() {
      const path = `/v1/collaborators?page=${1 + random.below(3)}&per_page=20&search=person`;
      await client.send('listPage', { method: 'GET', path });
    },
    async listCursor() {
      const found: string[] = [];
      const filter = `department=${encodeURIComponent(department)}&limit=50`;
      for (let cursor: string | null = ''; cursor !== null; ) {
        const path: string = `/v1/collaborators?${filter}${cursor && `&cursor=${cursor}`}`;
        const response = await client.send('listCursor', { method: 'GET', path });
        if (response?.status !== 200) return;
        found.push(...response.body.data.map(({ id }: { id: string }) => id));
        cursor = response.body.pagination.nextCursor;
      }
      if (!staff.isExact) return;
      const expectedIds = staff.people.filter(({ fields }) => !fields.deleted).map(({ id }) => id);
      const missing = expectedIds.filter((id) => !found.includes(id));
      if (missing.length > 0) trafficLog.violation(`acknowledged people are missing in a list: ${missing.join(', ')}`);
      if (found.length > expectedIds.length) {
        const others = found.filter((id) => !expectedIds.includes(id));
        trafficLog.violation(`a list has people that nobody made, or that were deleted: ${others.join(', ')}`);
      }
      if (new Set(found).size < found.length) trafficLog.violation('a list has somebody twice');
    },
    async read() {
      const person = staff.someone();
      if (!person) return;
      const response = await client.send('read', { method: 'GET', path: `/v1/collaborators/${person.id}` });
      if (response?.status !== 200) return;
      const wrong = differences(person.fields, fieldsOf(response.body));
      if (wrong.length > 0) trafficLog.violation(`${person.id} was read with ${wrong.join(', ')}`);
    },
    async history() {
      const person = staff.someone();
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/history?limit=100`;
      await client.send('history', { method: 'GET', path });
    },
  };
}
