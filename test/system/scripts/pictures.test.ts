import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { requireBuiltConsole } from '../../helpers/browser/console.ts';
import { run, temporaryFolder } from '../../helpers/command.ts';

test('takes each screenshot in README and docs, with the demo company', async () => {
  await requireBuiltConsole();
  const temporary = await temporaryFolder();
  try {
    const folder = join(temporary.path, 'taken');
    const env = { HOME: temporary.path, TMPDIR: temporary.path };
    const { code, stdout } = await run('scripts/proof/pictures/pictures.ts', [folder], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/home\.webp: \d+ bytes/) });
    const taken = await readdir(folder);
    expect(taken.sort()).toEqual((await readdir('docs/pictures')).sort());
    for (const name of taken) {
      const picture = await readFile(join(folder, name)); // sharp can't open files by name: the service blocks that, and tests share its settings
      const { width, height } = await sharp(picture).metadata();
      expect([width, height]).toEqual([1280, 800]);
      const { entropy } = await sharp(picture).stats();
      expect(entropy).toBeGreaterThan(1); // an empty page has almost none
    }
  } finally {
    await temporary.remove();
  }
});
