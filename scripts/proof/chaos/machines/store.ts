// Storage of a run: a folder on the small disk, the tests' S3 server, or a given store. Stores on plain HTTP are behind a gate.
import { join } from 'node:path';
import { startS3 } from '../../../../test/helpers/network/s3-peer.ts';
import { createTemporaryStore } from '../../stores/temporary-store.ts';
import { type Gate, startGate } from './gate.ts';

export interface ChaosStore {
  url: string;
  /** URL that bypasses the gate, to inspect stored files. */
  directUrl: string;
  /** Undefined when the storage can't be cut off. */
  gate: Gate | undefined;
  /** Makes it respond to everything with this status; undefined for a given store. */
  fail: ((status: number | undefined) => void) | undefined;
}

type Cleanups = (() => Promise<unknown>)[];

/** @param storageUrl a STORAGE_URL; the run uses its own prefix, which is removed at the end */
export async function openChaosStore(
  kind: 'folder' | 's3',
  storageUrl: string | undefined,
  dataDir: string,
  cleanups: Cleanups,
): Promise<ChaosStore> {
  if (storageUrl) {
    const temporaryStore = await createTemporaryStore(storageUrl, 'chaos');
    cleanups.push(temporaryStore.remove);
    return { ...(await gated(temporaryStore.url, cleanups)), fail: undefined };
  }
  if (kind === 'folder') {
    const url = `file:${join(dataDir, 'files')}`;
    return { url, directUrl: url, gate: undefined, fail: undefined };
  }
  const s3 = await startS3();
  cleanups.push(s3.close);
  return { ...(await gated(s3.url(), cleanups)), fail: s3.fail };
}

async function gated(directUrl: string, cleanups: Cleanups): Promise<Omit<ChaosStore, 'fail'>> {
  const url = new URL(directUrl);
  const endpoint = URL.parse(url.searchParams.get('endpoint') ?? '');
  const canBeGated = endpoint?.protocol === 'http:' && url.searchParams.get('path_style') === 'true';
  if (!canBeGated) return { url: directUrl, directUrl, gate: undefined };
  const gate = await startGate([{ host: endpoint.hostname, port: Number(endpoint.port || 80) }]);
  cleanups.push(gate.close);
  url.searchParams.set('endpoint', `http://127.0.0.1:${gate.port}`);
  return { url: url.href, directUrl, gate };
}
