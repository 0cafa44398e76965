// Read operations: people, lists, histories.
import { differences, fieldsOf } from '../model.ts';
import type { Staff } from '../staff.ts';

export function readOperations(staff: Staff) {
  const { department, client, ledger, random } = staff;
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
        const answer = await client.send('listCursor', { method: 'GET', path });
        if (answer?.status !== 200) return;
        found.push(...answer.body.data.map(({ id }: { id: string }) => id));
        cursor = answer.body.pagination.nextCursor;
      }
      if (!staff.isExact) return;
      const wanted = staff.people.filter(({ fields }) => !fields.deleted).map(({ id }) => id);
      const missing = wanted.filter((id) => !found.includes(id));
      if (missing.length > 0) ledger.violation(`acknowledged people are missing in a list: ${missing.join(', ')}`);
      if (found.length > wanted.length) {
        const others = found.filter((id) => !wanted.includes(id));
        ledger.violation(`a list has people that nobody made, or that were deleted: ${others.join(', ')}`);
      }
      if (new Set(found).size < found.length) ledger.violation('a list has somebody twice');
    },
    async read() {
      const person = staff.someone();
      if (!person) return;
      const answer = await client.send('read', { method: 'GET', path: `/v1/collaborators/${person.id}` });
      if (answer?.status !== 200) return;
      const wrong = differences(person.fields, fieldsOf(answer.body));
      if (wrong.length > 0) ledger.violation(`${person.id} was read with ${wrong.join(', ')}`);
    },
    async history() {
      const person = staff.someone();
      if (!person) return;
      const path = `/v1/collaborators/${person.id}/history?limit=100`;
      await client.send('history', { method: 'GET', path });
    },
  };
}
