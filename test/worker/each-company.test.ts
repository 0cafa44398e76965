import { createCompany } from '../../src/product/companies/companies.ts';
import { inEachCompany } from '../../src/worker/tasks/each-company.ts';
import { testDatabase } from '../helpers/database/database.ts';

test('a failure of one company doesn’t stop the others, and is reported at the end', async () => {
  const database = await testDatabase();
  try {
    const ids: string[] = [];
    for (const name of ['First', 'Second', 'Third']) {
      const admin = { name: 'Ana Admin', email: `${name}@example.com`, position: 'Head', department: 'Office' };
      const created = await createCompany(database.db, name, { ...admin, password: 'correct horse battery staple' });
      ids.push(created.company.id);
    }
    const hadTurn: string[] = [];
    const work = inEachCompany(database.db, async ({ company_id: companyId }) => {
      hadTurn.push(companyId);
      if (hadTurn.length === 1) throw new Error('its machine is lost');
      return 1;
    });
    await expect(work).rejects.toThrow('its machine is lost');
    expect(hadTurn.sort()).toEqual(ids.sort());
  } finally {
    await database.drop();
  }
});
