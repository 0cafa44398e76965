/**
 * The format of a backup. `manifest.json` lists every part with its size and hash, and is signed with a key derived from
 * ENCRYPTION_KEY, so a truncated, damaged, or altered backup is detected.
 *
 *     manifest.json           the manifest, written last
 *     tables/<name>.copy.gz   rows of a table, as written by Postgres' COPY (text)
 *     jobs.jsonl.gz           pending jobs, one per line
 *     files.jsonl.gz          the list of files, one per line: {name, bytes, sha256}
 *     files/<key>             the files themselves
 */
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deriveKey, type EncryptionKeys, sameSecret } from '../secrets/secrets.ts';

export const manifestName = 'manifest.json';
const format = 1;

export interface Part {
  name: string;
  bytes: number;
  /** In hex. */
  sha256: string;
}

export interface TablePart extends Part {
  table: string;
  columns: string[];
  rows: number;
}

export interface Manifest {
  format: typeof format;
  version: string;
  /** When the snapshot was taken (RFC 3339). */
  taken_at: string;
  postgres: string;
  /** Identifies the ENCRYPTION_KEY of the data without revealing it. */
  encryption_key: string;
  migrations: { name: string; checksum: string }[];
  tables: TablePart[];
  jobs: Part & { rows: number };
  files: Part & { count: number; totalBytes: number; missing: string[] };
}

/** A backup can't be taken or restored; the message is one sentence for the operator. */
export class BackupError extends Error {
  override name = 'BackupError';
}

export function manifestHead([encryptionKey]: EncryptionKeys): Pick<Manifest, 'format' | 'version' | 'encryption_key'> {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  return { format, version, encryption_key: fingerprint(encryptionKey) };
}

export function writeManifest(manifest: Manifest, [encryptionKey]: EncryptionKeys): string {
  return `${JSON.stringify({ manifest, hmac_sha256: signature(manifest, encryptionKey).toString('hex') }, null, 2)}\n`;
}

/** @throws BackupError for an invalid manifest, another key, or one that was altered */
export function readManifest(text: string, encryptionKeys: EncryptionKeys): Manifest {
  const { manifest, hmac_sha256: hmacSha256 } = parse(text);
  if (manifest.format !== format) {
    throw new BackupError(
      `the backup has format ${manifest.format}, and this version reads ${format}: use the version that wrote it, ${manifest.version}`,
    );
  }
  const encryptionKey = encryptionKeys.find((key) => manifest.encryption_key === fingerprint(key));
  if (!encryptionKey) {
    throw new BackupError(
      "the backup was taken with another ENCRYPTION_KEY: its encrypted data can't be read; set the key used then",
    );
  }
  if (!sameSecret(Buffer.from(String(hmacSha256), 'hex'), signature(manifest, encryptionKey))) {
    throw new BackupError(`${manifestName} was changed after the backup was taken`);
  }
  return manifest;
}

function parse(text: string): { manifest: Manifest; hmac_sha256: unknown } {
  try {
    const parsed = JSON.parse(text);
    if (typeof parsed.manifest === 'object' && parsed.manifest !== null) return parsed;
  } catch {}
  throw new BackupError(`${manifestName} is not the manifest of a backup`);
}

function signature(manifest: Manifest, encryptionKey: Buffer): Buffer {
  return createHmac('sha256', deriveKey(encryptionKey, 'backup-manifest')).update(JSON.stringify(manifest)).digest();
}

function fingerprint(encryptionKey: Buffer): string {
  return deriveKey(encryptionKey, 'backup-fingerprint').toString('hex').slice(0, 32);
}
