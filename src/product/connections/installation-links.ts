/**
 * Links for an admin to keep or end an installation, with the purpose encrypted in the link. Use requires that they are still an
 * admin.
 */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type EncryptionKeys, type SealContext, vault } from '../../platform/secrets/secrets.ts';

export const validDays = 30;
const dayMs = 86_400_000;

interface LinkedInstallation {
  company_id: string;
  installation_id: string;
  user_id: string;
}

export interface InstallationLinks {
  token(linked: LinkedInstallation): string;
  /** @returns undefined for an invalid or expired token */
  open(token: string): LinkedInstallation | undefined;
}

/** Not a database column. */
const context: SealContext = ['installation-link'];

export function createInstallationLinks(encryptionKeys: EncryptionKeys): InstallationLinks {
  const sealed = vault(encryptionKeys, 'installation-links');
  return {
    token({ company_id: companyId, installation_id: installationId, user_id: userId }) {
      return sealToken(sealed, context, [companyId, installationId, userId], validDays * dayMs);
    },
    open(token) {
      const opened = openToken(sealed, context, token);
      if (!opened || opened.is_over) return undefined;
      const [companyId, installationId, userId] = opened.values as [string, string, string];
      return { company_id: companyId, installation_id: installationId, user_id: userId };
    },
  };
}
