/** The reasons that the service stores in English are texts of the console, which shows them in the reader’s language. */
import { readFile } from 'node:fs/promises';
import { reasonOfEnd, statusReasons } from '../../../src/product/collaborators/status-reasons.ts';

test.each(['pt', 'es'])('the console translates all of them: %s', async (language) => {
  const file = new URL(`../../../generated/console/${language}.json`, import.meta.url);
  const translated = JSON.parse(await readFile(file, 'utf8')) as Record<string, string>;
  for (const reason of [...Object.values(statusReasons), reasonOfEnd('{1}')])
    expect(translated).toHaveProperty([reason], expect.not.stringMatching(reason));
});
