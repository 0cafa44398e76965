import { run, temporaryFolder } from '../../helpers/command.ts';

test('every workflow of the Arazzo document works against a live service', async () => {
  const folder = await temporaryFolder();
  try {
    const env = { HOME: folder.path, TMPDIR: folder.path, NO_COLOR: '1' };
    const { code, stdout } = await run('scripts/proof/workflows.ts', [], env);
    expect(stdout).toMatch(/Workflows: 9 passed, 9 total/);
    expect(stdout).toMatch(/Steps: \d+ passed, \d+ total/);
    expect(code).toBe(0);
  } finally {
    await folder.remove();
  }
});
