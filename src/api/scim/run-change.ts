/** Runs a directory's change: one transaction, with its audit entry and its place in the synchronization. */
import { recordAudit } from '../../platform/audit/entry.ts';
import { type CountedTransaction, counted } from '../../product/collaborators/write/collaborator-counts.ts';
import type { DirectoryContext } from '../../product/directories/directory-context.ts';
import { countOutcome, forgetErrors, type Outcome } from '../../product/directories/syncs.ts';
import type { ScimContext } from './operation.ts';

type Kind = 'person' | 'group';

interface Done {
  id: string;
  outcome: Outcome;
  /** Names and ids of the subject, whose stored errors are cleared. */
  subjects: string[];
}

const actions = {
  person: {
    created: 'directory.person_added',
    changed: 'directory.person_changed',
    removed: 'directory.person_removed',
  },
  group: {
    created: 'directory.group_added',
    changed: 'directory.group_changed',
    removed: 'directory.group_removed',
  },
} as const;

export async function runChange(
  { tenant, directory, base_url: baseUrl, mail, quotas, meter, origin }: ScimContext,
  kind: Kind,
  work: (tx: CountedTransaction, directing: DirectoryContext) => Promise<Done>,
): Promise<string> {
  const directing = { directory, actor: { user_id: directory.id }, postage: { mail, base_url: baseUrl }, quotas };
  const done = await counted(tenant, async (tx) => {
    const { id, outcome, subjects } = await work(tx, directing);
    if (outcome !== 'unchanged' && outcome !== 'failed') {
      recordAudit(tx, {
        action: actions[kind][outcome],
        actor: { type: 'directory', directory_id: directory.id },
        origin,
        target: { type: kind === 'person' ? 'collaborator' : 'group', id },
      });
    }
    await forgetErrors(tx, directory.id, subjects);
    countOutcome(tx, directory.id, outcome);
    return { id, outcome };
  });
  meter.changed(kind, done.outcome);
  return done.id;
}
