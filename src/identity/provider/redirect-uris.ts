/**
 * The library compares redirect URIs character by character. Those of clients are kept as a parser of URLs writes them, and so is
 * what a client sends compared: it is sent where that form leads.
 */
import type Provider from 'oidc-provider';
import { parseAddress } from '../../platform/values/host-names.ts';

/** @param provider whose clients compare in this way from then on */
export function compareParsedUris({ Client }: Provider): void {
  const { redirectUriAllowed } = Client.prototype;
  Client.prototype.redirectUriAllowed = function (this: InstanceType<typeof Client>, uri: string) {
    const parsed = parseAddress(uri);
    if (!parsed) return false;
    // That of the service's own clients is its own address, as the operator writes it.
    return redirectUriAllowed.call(this, parsed.href) || redirectUriAllowed.call(this, uri);
  };
}
