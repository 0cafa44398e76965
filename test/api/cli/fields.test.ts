/** Custom fields on the command line: create, update, archive, delete, and create from columns that an import ignored. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SignedIn, signedIn } from '../../helpers/signed-in-cli.ts';

let here: SignedIn;
beforeAll(async () => {
  here = await signedIn();
});
afterAll(() => here.close());

const json = async (...args: string[]) => {
  const { code, stdout, stderr } = await here.cli('fields', ...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

test('creates, lists, updates, archives, and restores a field', async () => {
  expect((await here.cli('fields', 'list')).stdout).toBe('There are no custom fields.\n');
  const choice = ['--type', 'choice', '--option', 's=S', '--option', 'm=M', '--read', 'employee', '--write', 'manager'];
  const labels = ['--label', 'Shirt size', '--label-in', 'pt=Tamanho da camisa'];
  const { code, stdout } = await here.cli('fields', 'create', 'shirt_size', ...labels, ...choice, '--required');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^KEY +LABEL +TYPE .*\nshirt_size +Shirt size +choice +employee +manager +required +s, m\n$/);
  await json('create', 'badge', '--unique');

  const changed = await json(
    'update',
    'shirt_size',
    '--option',
    'l=L',
    '--retire',
    's',
    '--no-required',
    '--label-in',
    'es=Talla',
  );
  expect(changed).toMatchObject({
    label: { default: 'Shirt size', pt: 'Tamanho da camisa', es: 'Talla', en: null },
    required: false,
    options: [
      { key: 's', retired: true },
      { key: 'm', retired: false },
      { key: 'l', retired: false },
    ],
  });
  await json('update', 'badge', '--position', '1');
  const keys = async (...args: string[]) => {
    const { data } = await json('list', ...args);
    return data.map(({ key }: { key: string }) => key);
  };
  expect(await keys()).toEqual(['badge', 'shirt_size']);
  await json('archive', 'badge');
  expect([await keys(), await keys('--archived')]).toEqual([['shirt_size'], ['shirt_size', 'badge']]);
  await json('restore', 'badge');
  expect(await keys()).toEqual(['shirt_size', 'badge']);
});

test('reports errors of the service, and those found before sending', async () => {
  expect(await here.cli('fields', 'create', 'Bad-Key')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('key'),
  });
  expect(await here.cli('fields', 'update', 'shirt_size')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing to change'),
  });
  expect(await here.cli('fields', 'update', 'shirt_size', '--retire', 'xxl')).toMatchObject({ code: 2 });
  expect(await here.cli('fields', 'archive', 'nowhere')).toMatchObject({ code: 1 });
});

test('deletes a field after confirmation by key, and waits until it is gone', async () => {
  const person = { name: 'Ana', email: 'ana@verde.example', position: 'x', department: 'y' };
  const body = JSON.stringify({ ...person, custom_fields: { badge: 'B1' } });
  expect((await here.cli('api', 'POST', '/v1/collaborators', '--data', body)).code).toBe(0);
  expect(await here.cli('fields', 'delete', 'badge')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--confirm badge'),
  });
  expect(await here.cli('fields', 'delete', 'badge', '--confirm', 'bad')).toMatchObject({ code: 1 });
  const { code, stdout, stderr } = await here.cli('fields', 'delete', 'badge', '--confirm', 'badge');
  expect([code, stdout]).toEqual([0, 'badge was deleted, with all its values.\n']);
  expect(stderr).toContain('of 1 people');
  const [row] = await here.database.query(`select custom_fields from collaborators where email = 'ana@verde.example'`);
  expect(row!.custom_fields).toBeNull();
  expect((await here.cli('fields', 'archive', 'badge')).code).toBe(1);
});

test('an import lists ignored columns, and the command to create a field for each', async () => {
  const header = 'Name,Email,Position,Department,Desk,Gate';
  const rows = [1, 2, 3, 4].map((n) => `P${n},p${n}@verde.example,Driver,Fleet,00${n},${n % 2 ? "O'Hare" : 'North'}`);
  await writeFile(join(here.folder, 'people.csv'), [header, ...rows].join('\n'));
  const { stdout } = await here.cli('import', 'people.csv', '--dry-run');
  expect(stdout).toContain('Ignored columns:');
  expect(stdout).toMatch(/E +Desk +fields create desk --label 'Desk' --type text\n/);
  const create = `fields create gate --label 'Gate' --type choice --option 'o_hare=O'\\''Hare' --option 'north=North'`;
  expect(stdout).toContain(create);
  await json('create', 'desk', '--label', 'Desk', '--type', 'text');
  const secondRun = (await here.cli('import', 'people.csv', '--dry-run')).stdout;
  expect(secondRun).not.toContain('fields create desk');
  expect(secondRun).toContain(create);
  const mapped = await here.cli('import', 'people.csv', '--map', 'Gate=custom_fields.desk', '--map', 'Desk=');
  expect(mapped).toMatchObject({ code: 0, stdout: 'people.csv: 4 created.\n' });
  const desks = await here.database.query(
    `select custom_fields ->> 'desk' as desk from collaborators where email like 'p_@verde.example' order by email`,
  );
  expect(desks.map(({ desk }) => desk)).toEqual(["O'Hare", 'North', "O'Hare", 'North']);
  const refused = await here.cli('import', 'people.csv', '--map', 'Gate=custom_fields.nothing');
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('The company has no such field.') });
});
