import type { Member } from '../../../src/identity/members/member.ts';
import { findCollaborator } from '../../../src/product/access/records.ts';
import { testApp } from '../../helpers/app.ts';

test.each(['none', 'directory'] as const)('the reach %s has no records, not even the own one', async (reach) => {
  const app = await testApp();
  try {
    const { collaborator_id: id } = app.employee;
    const member = { role: 'employee', collaborator_id: id } as Member;
    const tenant = app.database.db.tenant(app.company_id);
    expect(await findCollaborator(tenant, member, 'self', id)).toMatchObject({ id });
    expect(await findCollaborator(tenant, member, reach, id)).toBeUndefined();
  } finally {
    await app.close();
  }
});
