/**
 * Links to sign in with another address from now on. What a link is for stands in the link itself, sealed: it is good as long
 * as the record still has the address it was sent to, and the person still signs in with the address of then. So it works once,
 * a newer change ends it, and no table has to remember it.
 */
import { openToken, sealToken } from '../../platform/secrets/sealed-tokens.ts';
import { type EncryptionKeys, type Place, secretHash, vault } from '../../platform/secrets/secrets.ts';

export const validDays = 7;
const dayMs = 86_400_000;

/** Whose address, and what it was when the link was made. */
interface AddressChange {
  company_id: string;
  collaborator_id: string;
  user_id: string;
  /** In the record of the company. */
  new_address: string;
  /** What the user signs in with. */
  old_address: string;
}

type LinkedChange = Pick<AddressChange, 'company_id' | 'collaborator_id' | 'user_id'>;

export interface AddressLinks {
  /** The last part of the link's path. */
  token(change: AddressChange): string;
  /** @returns undefined when it is no token of ours, or an old one */
  open(
    token: string,
  ): (LinkedChange & { isFor(addresses: Pick<AddressChange, 'new_address' | 'old_address'>): boolean }) | undefined;
}

/** It stands in no table; what it is for stands in it. */
const place: Place = ['address-link'];

export function createAddressLinks(encryptionKeys: EncryptionKeys): AddressLinks {
  const sealed = vault(encryptionKeys, 'address-links');
  return {
    token(change) {
      const { company_id: companyId, collaborator_id: collaboratorId, user_id: userId } = change;
      return sealToken(sealed, place, [companyId, collaboratorId, userId, markOf(change)], validDays * dayMs);
    },
    open(token) {
      const opened = openToken(sealed, place, token);
      if (!opened || opened.is_over) return undefined;
      const [companyId, collaboratorId, userId, mark] = opened.values as [string, string, string, string];
      return {
        company_id: companyId,
        collaborator_id: collaboratorId,
        user_id: userId,
        isFor: (addresses) => markOf(addresses) === mark,
      };
    },
  };
}

/** What tells one change from another, so that the link itself holds no address. */
function markOf({
  new_address: newAddress,
  old_address: oldAddress,
}: Pick<AddressChange, 'new_address' | 'old_address'>): string {
  return secretHash(`${newAddress}\n${oldAddress}`.toLowerCase()).toString('base64url').slice(0, 22);
}
