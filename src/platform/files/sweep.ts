/** Removes files without a row, such as those of interrupted uploads, once they are old enough to have one. */
import { sql } from 'kysely';
import type { Database } from '../db/client.ts';
import { type FileKind, isUnfinished, partsOfKey, type Storage, type StoredObject } from './store/storage.ts';

const minAgeS = 3_600;
const keysPerQuery = 500;
const removalsAtOnce = 10;

interface SweepOptions {
  /** Only keys greater than this one. */
  after?: string | undefined;
  /** The minimum age for removal. */
  olderThanS?: number;
  /** Stops soon after this time. */
  budgetMs?: number;
}

interface Swept {
  removed: number;
  /** Where to continue, if the time was up before the end. */
  after?: string;
}

export async function sweepFiles(db: Database, storage: Storage, options: SweepOptions = {}): Promise<Swept> {
  const { after, olderThanS = minAgeS, budgetMs = Number.POSITIVE_INFINITY } = options;
  const started = Date.now();
  const old = started - olderThanS * 1_000;
  let removed = 0;
  for await (const group of groups(storage, after)) {
    const keys = group.objects.filter(({ modifiedAt }) => modifiedAt.getTime() <= old).map(({ key }) => key);
    const unnamed = await orphansOf(db, group, keys);
    await removeAll(storage, unnamed);
    removed += unnamed.length;
    if (Date.now() - started > budgetMs) return { removed, after: group.objects.at(-1)!.key };
  }
  return { removed };
}

/** Consecutive objects whose rows are in one table of one company. */
interface Group {
  /** Undefined for leftovers of interrupted writes, which have no rows. */
  owner: { company_id: string; kind: FileKind } | undefined;
  objects: StoredObject[];
}

/** Skips foreign files in the folder or bucket. */
async function* groups(storage: Storage, after: string | undefined): AsyncIterable<Group> {
  let group: Group | undefined;
  for await (const object of storage.list(after)) {
    const owner = partsOfKey(object.key);
    if (!owner && !isUnfinished(object.key)) continue;
    const belongs = group && group.owner?.company_id === owner?.company_id && group.owner?.kind === owner?.kind;
    if (group && (!belongs || group.objects.length === keysPerQuery)) {
      yield group;
      group = undefined;
    }
    group ??= { owner, objects: [] };
    group.objects.push(object);
  }
  if (group) yield group;
}

async function orphansOf(db: Database, { owner }: Group, keys: string[]): Promise<string[]> {
  if (!owner || keys.length === 0) return keys;
  const tenant = db.tenant(owner.company_id);
  const any = sql<string>`any(${keys}::text[])`;
  const find = {
    documents: () => tenant.selectFrom('documents').select('key').where('key', '=', any).execute(),
    photos: () =>
      tenant.selectFrom('collaborators').select('avatar_key as key').where('avatar_key', '=', any).execute(),
    imports: async () => {
      const uploads = await tenant.selectFrom('imports').select('key').where('key', '=', any).execute();
      const reports = await tenant
        .selectFrom('imports')
        .select('report_key as key')
        .where('report_key', '=', any)
        .execute();
      return [...uploads, ...reports];
    },
    // No rows: their links have expired by the age of sweeping.
    templates: async () => [],
    exports: () => tenant.selectFrom('exports').select('key').where('key', '=', any).execute(),
  };
  const named = new Set((await find[owner.kind]()).map(({ key }) => key));
  return keys.filter((key) => !named.has(key));
}

async function removeAll(storage: Storage, keys: string[]): Promise<void> {
  for (let i = 0; i < keys.length; i += removalsAtOnce) {
    await Promise.all(keys.slice(i, i + removalsAtOnce).map((key) => storage.remove(key)));
  }
}
