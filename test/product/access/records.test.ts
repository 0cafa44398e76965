import type { Member } from '../../../src/identity/members/member.ts';
import { findCollaborator } from '../../../src/product/access/records.ts';
import { testApp } from '../../helpers/app.ts';

test('callers without a reach find no record, not even their own', async () => {
  const app = await testApp();
  try {
    const { collaborator_id: id } = app.employee;
    const member = { role: 'employee', collaborator_id: id } as Member;
    const tenant = app.database.db.tenant(app.company_id);
    expect(await findCollaborator(tenant, member, 'self', id)).toMatchObject({ id });
    expect(await findCollaborator(tenant, member, 'none', id)).toBeUndefined();
    expect(await findCollaborator(tenant, member, 'directory', id)).toBeUndefined();
  } finally {
    await app.close();
  }
});
