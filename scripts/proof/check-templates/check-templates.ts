// Opens the import template in common programs, in each language, fills it in, saves it, and imports it: `make proof
// NAME=templates`. Downloads are kept in .data/tools, or TOOLS_CACHE.
//
// node scripts/proof/check-templates/check-templates.ts [openpyxl] [poi] [libreoffice]: default all that are installed; named
// ones are required.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exit } from '../../../src/platform/process/exit.ts';
import { accounts } from '../../run/demo/demo-company.ts';
import { withFreshService } from '../../run/fresh-service.ts';
import { signIn } from '../../run/sign-in.ts';
import { cache } from '../sdk-check/client.ts';
import { install } from '../sdk-check/install.ts';
import { ApiUser } from './api-user.ts';
import { libreoffice } from './libreoffice.ts';
import { listsIn } from './lists.ts';
import { openpyxl } from './openpyxl.ts';
import { checkPeople, fillingOf, peopleOf } from './people.ts';
import { poi } from './poi.ts';
import type { Tool } from './tool.ts';

const languages = ['en', 'pt', 'es'];
const all: Tool[] = [openpyxl, poi, libreoffice];
const names = process.argv.slice(2);
try {
  const unknown = names.filter((name) => all.every((tool) => tool.name !== name));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown}; available: ${all.map(({ name }) => name)}.`);
  const tools = await installedTools();
  if (tools.length === 0) throw new Error('None of the programs is installed.');
  const folder = await mkdtemp(join(tmpdir(), 'templates-'));
  try {
    await withFreshService(
      process.env,
      'check-templates',
      async ({ base_url: baseUrl, client_id: clientId, password }) => {
        const { access_token: accessToken } = await signIn({
          base_url: baseUrl,
          client_id: clientId,
          email: accounts.admin,
          password,
        });
        const user = await ApiUser.of(baseUrl, accessToken);
        for (const tool of tools) {
          await install(
            { generator: await tool.version(), install: tool.install },
            join(cache, 'check-templates', tool.name),
          );
          for (const language of languages)
            for (const format of tool.formats) await check(user, tool, language, format);
        }
      },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`\nAll templates were filled in and imported with ${tools.map(({ name }) => name).join(', ')}.`);

  async function check(user: ApiUser, tool: Tool, language: string, format: string): Promise<void> {
    const label = `${tool.name}-${language}-${format}`;
    const { columns, bytes } = await user.template(language);
    const [template, filling, target] = ['template.xlsx', 'filling', `filled.${format}`].map((name) =>
      join(folder, `${label}-${name}`),
    ) as [string, string, string];
    const people = peopleOf(label);
    await writeFile(template, bytes);
    await writeFile(filling, fillingOf(people, columns, tool.name === 'poi' ? 'lines' : 'json'));
    await tool.fill(join(cache, 'check-templates', tool.name), template, filling, target);
    const filled = await readFile(target);
    const lists = format === 'xlsx' ? await listsIn(filled) : undefined;
    const offered = await listsIn(bytes);
    if (lists !== undefined && lists !== offered) throw new Error(`${label}: ${lists} of ${offered} lists were kept`);
    const id = await user.importDry(filled, `people.${format}`, people.length);
    await user.commit(id);
    checkPeople(label, people, await user.people(people.map(({ email }) => email)));
    const listsNote = lists === undefined ? '' : `, all ${lists} lists kept`;
    console.log(`  ${tool.name}, ${language}, saved as ${format}: ${people.length} people${listsNote}`);
  }
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
exit();

/** @throws when a named program is not installed */
async function installedTools(): Promise<Tool[]> {
  const here: Tool[] = [];
  for (const tool of all) {
    if (names.length > 0 && !names.includes(tool.name)) continue;
    const version = await tool.version().catch(() => undefined);
    if (version !== undefined) {
      console.log(`${tool.name}: ${version}`);
      here.push(tool);
    } else if (names.includes(tool.name)) throw new Error(`${tool.name} is not installed. It needs ${tool.needs}.`);
    else console.log(`${tool.name}: SKIPPED, not installed. It needs ${tool.needs}.`);
  }
  return here;
}
