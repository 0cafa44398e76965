/** `key list`, `key rotate` and `key retire`: the keys that sign access tokens. */

import { type OutputOptions, print, table } from '../../../packages/cli/src/terminal/output.ts';
import { retireOldKeys, retireReplacedKeysNow, rotateSigningKey } from '../../identity/tokens/signing-keys.ts';
import type { Environment } from '../../platform/config/development.ts';
import { withDatabase } from './database.ts';

export async function list(environment: Environment, options: OutputOptions): Promise<void> {
  const keys = await withDatabase(environment, (db) => {
    const query = db.global.selectFrom('signing_keys').select(['id', 'algorithm', 'created_at', 'retired_at']);
    return query.orderBy('created_at', 'desc').orderBy('id').execute();
  });
  const signing = keys.find(({ retired_at: retiredAt }) => retiredAt === null);
  const state = (key: (typeof keys)[number]) => (key === signing ? 'signs' : key.retired_at ? 'retired' : 'accepted');
  const data = keys.map((key) => ({ ...key, state: state(key) }));
  const rows = data.map(({ id, state, created_at: createdAt, retired_at: retiredAt }) => [
    id,
    state,
    createdAt,
    retiredAt ?? '',
  ]);
  const emptyText = 'There are no keys: the first start of the service creates one.';
  print(options, { data }, table(['ID', 'STATE', 'CREATED', 'RETIRED'], rows, emptyText));
}

export async function rotate(environment: Environment, options: OutputOptions): Promise<void> {
  const id = await withDatabase(
    environment,
    (db, { encryption_keys: encryptionKeys }) => rotateSigningKey(db, encryptionKeys),
    { encrypts: true },
  );
  const graceNotice = 'Previous keys stay valid until `key retire` retires them';
  print(options, { id }, `Key ${id} is now the signing key. ${graceNotice}, as the worker does once an hour.`);
}

export async function retire(environment: Environment, options: OutputOptions & { now?: boolean }): Promise<void> {
  const retired = await withDatabase(environment, (db, { accessTokenLifetimeS }) => {
    return options.now ? retireReplacedKeysNow(db) : retireOldKeys(db, accessTokenLifetimeS);
  });
  const emptyText = options.now ? 'there is only the signing key' : 'no replaced key is past its last token';
  print(options, { retired }, retired > 0 ? `Keys retired: ${retired}.` : `No key was retired: ${emptyText}.`);
}
