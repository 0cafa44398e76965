// The release folder and the changelog.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newestRelease, releaseName } from '../../src/load/sources/released.ts';
import { changelogEntry, withEntry } from '../../src/report/changelog.ts';
import { change, interfaceOnly, list, noFindings, schemas } from '../cases/case.ts';
import { documentsOf } from '../cases/mutate.ts';
import { compareValues } from '../compare-values.ts';

test('newest release has the highest version, then the highest payload version', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contract-released-'));
  const add = async (name: string) => {
    await writeFile(join(folder, name), '{}');
    return newestRelease(folder);
  };
  try {
    expect(newestRelease(folder)).toBeUndefined();
    expect(await add('draft.json')).toBeUndefined();
    expect(await add(releaseName('1.9.0'))).toBe(join(folder, '1.9.0.json'));
    expect(await add(releaseName('1.10.0-rc.1'))).toBe(join(folder, '1.10.0-rc.1.json'));
    expect(await add(releaseName('1.10.0'))).toBe(join(folder, '1.10.0.json'));
    expect(await add(releaseName('1.10.0', '1.9.0'))).toBe(join(folder, '1.10.0+payload.1.9.0.json'));
    expect(await add(releaseName('1.10.0', '1.10.0'))).toBe(join(folder, '1.10.0+payload.1.10.0.json'));
    expect(await add(releaseName('1.2.0'))).toBe(join(folder, '1.10.0+payload.1.10.0.json'));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('changelog groups changes by release, newest first, and by level', async () => {
  const [base, revised] = documentsOf(
    change('', `${list}/deprecated`, false, true, interfaceOnly('deprecated', 'minor'), noFindings),
  );
  const title = '# Changelog\n';
  const first = withEntry(undefined, changelogEntry('1.0.0', '1.0.0', '2026-01-01', undefined), title);
  const next = changelogEntry('1.1.0', '1.0.0', '2026-02-01', await compareValues(base, revised));
  const second = withEntry(first, next, title);
  expect(second.match(/^## .*$/gm)).toEqual([
    '## 1.1.0, webhook payload 1.0.0 (2026-02-01)',
    '## 1.0.0, webhook payload 1.0.0 (2026-01-01)',
  ]);
  expect(second.match(/^# .*$/gm)).toEqual(['# Changelog']);
  expect(second).toContain('### Interface\n\n**New**\n\n- GET /collaborators (listCollaborators): is deprecated now');
});

test('changelog names all operations that share a change', async () => {
  const status = change(
    '',
    `${schemas}/Status/description`,
    'One.',
    'Another.',
    interfaceOnly('prose-changed', 'major'),
    interfaceOnly('prose-changed', 'major'),
  );
  const [base, revised] = documentsOf(status);
  const policy = { rules: { 'prose-changed': 'major' } } as const;
  const entry = changelogEntry('2.0.0', '2.0.0', '2027-01-01', await compareValues(base, revised, { policy }));
  const [interfacePart, payloadPart] = entry.split('### Webhook payload');
  expect(interfacePart).toMatch(/Status.*`description` changed\n {2}Affects (.*)\.\n/);
  for (const operation of ['listCollaborators', 'createCollaborator', 'getCollaborator'])
    expect(interfacePart).toContain(`(${operation})`);
  expect(interfacePart).not.toContain('(uploadDocument)');
  expect(payloadPart).toContain('webhook collaborator.created');
  expect(payloadPart).not.toContain('report.created');
});
