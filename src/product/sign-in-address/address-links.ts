/**
 * Links that confirm a new sign-in address. The link contains the change, encrypted, and is valid while record and account have
 * the addresses of its creation: it works once, a newer change invalidates it, and no table stores it.
 */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type EncryptionKeys, type SealContext, secretHash, vault } from '../../platform/secrets/secrets.ts';

export const validDays = 7;
const dayMs = 86_400_000;

interface AddressChange {
  company_id: string;
  collaborator_id: string;
  user_id: string;
  new_address: string;
  old_address: string;
}

type LinkedChange = Pick<AddressChange, 'company_id' | 'collaborator_id' | 'user_id'>;

export interface AddressLinks {
  token(change: AddressChange): string;
  /** @returns undefined for an invalid or expired token */
  open(
    token: string,
  ): (LinkedChange & { isFor(addresses: Pick<AddressChange, 'new_address' | 'old_address'>): boolean }) | undefined;
}

/** Not a database column; the token contains its purpose. */
const context: SealContext = ['address-link'];

export function createAddressLinks(encryptionKeys: EncryptionKeys): AddressLinks {
  const sealed = vault(encryptionKeys, 'address-links');
  return {
    token(change) {
      const { company_id: companyId, collaborator_id: collaboratorId, user_id: userId } = change;
      return sealToken(sealed, context, [companyId, collaboratorId, userId, fingerprintOf(change)], validDays * dayMs);
    },
    open(token) {
      const opened = openToken(sealed, context, token);
      if (!opened || opened.is_over) return undefined;
      const [companyId, collaboratorId, userId, fingerprint] = opened.values as [string, string, string, string];
      return {
        company_id: companyId,
        collaborator_id: collaboratorId,
        user_id: userId,
        isFor: (addresses) => fingerprintOf(addresses) === fingerprint,
      };
    },
  };
}

/** A fingerprint of the change, so that the link contains no address. */
function fingerprintOf({
  new_address: newAddress,
  old_address: oldAddress,
}: Pick<AddressChange, 'new_address' | 'old_address'>): string {
  return secretHash(`${newAddress}\n${oldAddress}`.toLowerCase()).toString('base64url').slice(0, 22);
}
