/** The service has a single start command, and V8 flags are defined in one place. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { instructionsOf } from './dockerfile.ts';
import { root, text } from './files.ts';

test('npm start and the image use the same command', async () => {
  const { start } = JSON.parse(await text('package.json')).scripts;
  const entry = instructionsOf(await text('Dockerfile')).find(({ name }) => name === 'ENTRYPOINT')!;
  // npm passes signals to its shell only, so that has to become the service.
  expect(['exec', ...JSON.parse(entry.text)]).toEqual(start.split(' '));
});

test('everything that starts containers uses the command and flags of the image', async () => {
  const folders = ['deploy/compose', 'deploy/kubernetes', 'deploy/helm'];
  const listed = folders.map(async (folder) => {
    const names = await readdir(fileURLToPath(new URL(folder, root)), { recursive: true });
    return names.filter((name) => name.endsWith('.yaml')).map((name) => join(folder, name));
  });
  const paths = ['compose.yaml', ...(await Promise.all(listed)).flat()];
  expect(paths.length).toBeGreaterThan(15);
  for (const path of paths)
    expect([path, await text(path)]).toEqual([
      path,
      expect.not.stringMatching(/main\.ts|NODE_OPTIONS|--max-|entrypoint:/),
    ]);
});
