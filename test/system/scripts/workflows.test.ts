import { run, temporaryFolder } from '../../helpers/command.ts';
import { testDatabase } from '../../helpers/database/database.ts';

test('every workflow of the Arazzo document works against a live service', async () => {
  const folder = await temporaryFolder();
  const database = await testDatabase(1, { template: 'template0' }); // a server of its own takes longer
  try {
    const env = { HOME: folder.path, TMPDIR: folder.path, NO_COLOR: '1', DATABASE_URL: database.url };
    const { code, stdout } = await run('scripts/proof/workflows.ts', [], env);
    expect(stdout).toMatch(/Workflows: 9 passed, 9 total/);
    expect(stdout).toMatch(/Steps: \d+ passed, \d+ total/);
    expect(code).toBe(0);
  } finally {
    await database.drop();
    await folder.remove();
  }
});
