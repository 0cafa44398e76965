/** Random programs change a list while it is read by pages: rows that exist throughout and don't move appear exactly once. */
import { createRandom } from '../../../scripts/random/random.ts';
import { type TestApp, testApp } from '../../helpers/app.ts';

const path = '/v1/collaborators';
const sorts = ['name', '-hire_date', 'department,-hire_date'];
let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

test.each(sorts.map((sort, i) => [sort, Number(process.env.SEED ?? 1) * sorts.length + i] as const))(
  'sort=%s, seed %d',
  async (sort, seed) => {
    const { below: pick } = createRandom(seed);
    const dates = [null, '2026-01-01', '2026-01-02', '2026-01-03'];
    const create = async (n: number) => {
      const person = {
        name: `${'ABCDÄÖ'[pick(6)]} Person ${pick(5)}`,
        email: `s${seed}n${n}@example.com`,
        position: 'x',
        department: `D${pick(3)}-${seed}`,
        hire_date: dates[pick(4)],
      };
      return (await app.admin.post(path, person).expect(201)).body.id as string;
    };
    const stayed = new Set<string>();
    const ids: string[] = [];
    for (let n = 0; n < 30; n++) {
      const id = await create(n);
      ids.push(id);
      stayed.add(id);
    }
    const seen = new Map<string, number>();
    let cursor: string | null = '';
    let n = 1000;
    while (cursor !== null) {
      const next: string = cursor ? `&cursor=${encodeURIComponent(cursor)}` : '';
      const { body } = await app.admin.get(`${path}?limit=${1 + pick(7)}&sort=${sort}${next}`).expect(200);
      for (const { id } of body.data) seen.set(id, (seen.get(id) ?? 0) + 1);
      cursor = body.pagination.nextCursor;
      for (let writes = pick(4); writes > 0; writes--) {
        const id = ids[pick(ids.length)]!;
        const kind = pick(4);
        if (kind === 0) ids.push(await create(n++));
        else if (kind === 1) {
          await app.admin.delete(`${path}/${id}`);
          stayed.delete(id);
        } else if (kind === 2)
          await app.admin.patch(`${path}/${id}`, { phone: `+1 ${n++}` }); // doesn't move it
        else {
          await app.admin.patch(`${path}/${id}`, {
            name: `Moved ${pick(9)}`,
            hire_date: dates[pick(4)],
            department: `D${pick(3)}-${seed}`,
          });
          stayed.delete(id);
        }
      }
    }
    for (const id of stayed) expect([id, seen.get(id)]).toEqual([id, 1]);
    expect(stayed.size).toBeGreaterThan(0);
  },
);
