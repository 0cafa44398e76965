import { readdir } from 'node:fs/promises';
import { run, temporaryFolder } from '../../helpers/command.ts';

test('completes on a fresh service, prints each step, and leaves nothing behind', async () => {
  const folder = await temporaryFolder();
  try {
    const env = { HOME: folder.path, TMPDIR: folder.path, DATA_DIR: `${folder.path}/none` };
    const { code, stdout, stderr } = await run('scripts/demo/demo.ts', [], env, { longest_ms: 90_000 });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('a fresh service');
    const numbers = [...stdout.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(numbers.map((_, i) => i + 1));
    expect(stdout).toContain(`All ${numbers.length} steps passed.`);
    const statuses = new Set(
      [...stdout.matchAll(/^ {3}(?:GET|POST|PUT|PATCH|DELETE) \S+ → (\d+)$/gm)].map(([, status]) => status),
    );
    for (const status of ['200', '201', '202', '400', '401', '403', '404', '409', '412'])
      expect(statuses).toContain(status);
    expect(stdout.match(/POST \/v1\/collaborators → 201/g)).toHaveLength(6);
    for (const chapter of [
      /collaborator\.created: Wanda Webhook, webhook-id [\w-]+, signature valid/,
      /good with the earlier secret, in both headers; good with the new one, too\n/,
      /webhook\.test: 204 after \d+ ms, the log has the body byte for byte\n/,
      /activated with replay_from: both changes arrived/,
      /allowed, reach self: listCollaborators/,
      /it takes the role admin: createCollaborator/,
      /it is a file: \S+outbox\S+\.txt\n/,
      /“Join Verde Logística” → “\S.*”\n/,
      /active since \S+, invitation accepted\n/,
      /\d{4}-\d{2}: \d+ people, \d+ joined, \d+ left\n/,
      /only Lucas Prado\n/,
      /900×600 JPEG with an author → 512×512 webp without one\n/,
      /the admin sees 2 documents, the manager 1\n/,
      /row 3, column B, email: Must be a valid email address, such as /,
      /row 4, column H, manager_email: \S.*\n.*row 5, column C, position: This field is required\./,
      /Elsa Campo, hired 2026-03-02, salary 42000\.5\n/,
      /collaborators-\S+\.xlsx: 5 people, \d+ bytes\n/,
      /Mira Prado <mira\.prado\.hr-\S+>, external id hr:mira:\S+, number MIRA-/,
      /Noah Fonte, pending, last day 2099-12-31\n/,
      /rehired as \S+; the record of before stays as it was: email_taken/,
      /known to be a manager after \d+ ms\n/,
      /last_admin: /,
      /invalid_token: .* Refused after \d+ ms\.\n/,
      /Shift planner, allowed by Mariana Duarte: profile .*\n.*DELETE \/v1\/connections\/\S+ → 200\n +refused after \d+ ms\n/,
      /Shift planner acts for Verde Logística by itself, as admin\n/,
      /a link to keep it or to end it: \S+outbox\S+\.txt\n/,
      /patchCollaborator by Shift planner, installed by Mariana Duarte\n/,
    ])
      expect(stdout).toMatch(chapter);
    expect(await readdir(folder.path)).toEqual([]);
  } finally {
    await folder.remove();
  }
});
