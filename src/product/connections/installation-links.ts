/**
 * Links to keep or end an installation, for one admin each. What a link is for stands in the link itself, sealed, so no table has
 * to remember it; whether the person is an admin still is looked up when it is used.
 */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type EncryptionKeys, type Place, vault } from '../../platform/secrets/secrets.ts';

export const validDays = 30;
const dayMs = 86_400_000;

interface LinkedInstallation {
  company_id: string;
  installation_id: string;
  /** The admin that it was mailed to. */
  user_id: string;
}

export interface InstallationLinks {
  /** The last part of the link's path. */
  token(linked: LinkedInstallation): string;
  /** @returns undefined when it is no token of ours, or an old one */
  open(token: string): LinkedInstallation | undefined;
}

/** It stands in no table. */
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
