/** Normalizes redirect URIs before the library compares them character by character with the stored, normalized ones. */
import type Provider from 'oidc-provider';
import { parseAddress } from '../../platform/values/host-names.ts';

/** @param provider whose clients are patched */
export function compareParsedUris({ Client }: Provider): void {
  const { redirectUriAllowed } = Client.prototype;
  Client.prototype.redirectUriAllowed = function (this: InstanceType<typeof Client>, uri: string) {
    const parsed = parseAddress(uri);
    if (!parsed) return false;
    // The service's own clients use its address as the operator has written it.
    return redirectUriAllowed.call(this, parsed.href) || redirectUriAllowed.call(this, uri);
  };
}
