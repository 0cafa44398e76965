/**
 * Links for an admin to keep or end an installation. The link contains its purpose, encrypted, so no table stores it; whether the
 * person is still an admin is checked on use.
 */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type EncryptionKeys, type Place, vault } from '../../platform/secrets/secrets.ts';

export const validDays = 30;
const dayMs = 86_400_000;

interface LinkedInstallation {
  company_id: string;
  installation_id: string;
  /** The recipient of the mail. */
  user_id: string;
}

export interface InstallationLinks {
  /** The last segment of the link's path. */
  token(linked: LinkedInstallation): string;
  /** @returns undefined for an invalid or expired token */
  open(token: string): LinkedInstallation | undefined;
}

/** Not a database column. */
const place: Place = ['installation-link'];

export function createInstallationLinks(encryptionKeys: EncryptionKeys): InstallationLinks {
  const sealed = vault(encryptionKeys, 'installation-links');
  return {
    token({ company_id: companyId, installation_id: installationId, user_id: userId }) {
      return sealToken(sealed, place, [companyId, installationId, userId], validDays * dayMs);
    },
    open(token) {
      const opened = openToken(sealed, place, token);
      if (!opened || opened.is_over) return undefined;
      const [companyId, installationId, userId] = opened.values as [string, string, string];
      return { company_id: companyId, installation_id: installationId, user_id: userId };
    },
  };
}
