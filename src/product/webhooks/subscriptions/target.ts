/**
 * Validates webhook targets: when a URL is saved, before each attempt, and on connect. Only the last check withstands DNS
 * rebinding, because it checks the addresses it connects to. The first one informs the person who saves the URL.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type Text, t } from '../../../contract/languages/text.ts';
import type { FieldError } from '../../../contract/problem.ts';
import { isHost, parseAddress } from '../../../platform/values/host-names.ts';
import { isRefusedAddress } from './addresses.ts';

/** Resolves a name to all IPv4 and IPv6 addresses. Rejects, or returns none, if it doesn't resolve. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** The host resolves, or may resolve, to a blocked address. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** The name has no address, or didn't resolve in time. */
export class NotResolved extends Error {
  override name = 'NotResolved';
}

/** DNS timeout when saving, in milliseconds. After it, the name counts as currently unresolvable. */
const saveLookupMs = 2_000;

/** Other ports below 1024 belong to protocols that a request could be abused for. */
const isAllowedPort = (port: string) => ['', '80', '443'].includes(port) || Number(port) >= 1024;

/** An unresolvable name is accepted, because it is checked again before each request. */
export async function targetError(
  url: string,
  settings: { allow_private: boolean; lookup?: Lookup },
): Promise<FieldError | undefined> {
  const message = await targetErrorText(parseAddress(url), settings);
  return message === undefined ? undefined : { code: 'invalid_format', message };
}

export function normalizedUrl(url: string): string {
  return new URL(url).href;
}

async function targetErrorText(
  target: URL | undefined,
  { allow_private: allowPrivate, lookup = publicLookup }: { allow_private: boolean; lookup?: Lookup },
): Promise<Text | undefined> {
  if (!target?.hostname) return t`Must be an address, such as https://company.example/hooks.`;
  const message = urlErrorText(target, { allow_private: allowPrivate });
  if (message || allowPrivate || isIP(hostOf(target))) return message;
  return (await resolvesToBlockedAddress(hostOf(target), lookup)) ? refusedMessage : undefined;
}

/** Checks the URL itself, without DNS. Runs again before each request. */
export function urlErrorText(
  target: URL,
  { allow_private: allowPrivate }: { allow_private: boolean },
): Text | undefined {
  if (target.protocol !== 'https:' && !(allowPrivate && target.protocol === 'http:'))
    return allowPrivate ? t`Must begin with https:// or http://.` : t`Must begin with https://.`;
  if (target.username || target.password) return t`Must not contain a user name or password.`;
  if (!isHost(target.hostname)) return t`The host must be a valid DNS name or an IP address.`;
  if (!isAllowedPort(target.port)) return t`Must have the port 443, 80, or one from 1024 on.`;
  if (allowPrivate) return undefined;
  const host = hostOf(target);
  const refused = isIP(host) ? isRefusedAddress(host) : /(^|\.)localhost$/.test(host);
  return refused ? refusedMessage : undefined;
}

const refusedMessage = t`Must not lead to a private, loopback, link-local or otherwise internal address.`;

async function resolvesToBlockedAddress(hostname: string, lookup: Lookup): Promise<boolean> {
  const { promise: timedOut, resolve: giveUp } = Promise.withResolvers<string[]>();
  const timer = setTimeout(giveUp, saveLookupMs, []);
  const addresses = await Promise.race([lookup(hostname).catch(() => []), timedOut]);
  clearTimeout(timer);
  return addresses.some(isRefusedAddress);
}

/** A name in lower case without a trailing dot, or an address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

/** A lookup for sockets that returns exactly the checked addresses; none if one of them is blocked, because any might be used. */
export function pinnedLookup(
  lookup: Lookup,
  { allow_private: allowPrivate }: { allow_private: boolean },
): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = await lookup(hostname).catch((error) => {
      throw new NotResolved(`${hostname} does not resolve`, { cause: error });
    });
    if (addresses.length === 0) throw new NotResolved(`${hostname} has no address`);
    if (!allowPrivate && addresses.some(isRefusedAddress))
      throw new AddressRefused(`${hostname} resolves to a blocked address`);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0]!.address, addresses[0]!.family);
      },
      (error) => callback(error, []),
    );
  };
}

export function defaultLookup({ allow_private: allowPrivate }: { allow_private: boolean }): Lookup {
  return allowPrivate ? localLookup : publicLookup;
}

/** The system's lookup, which includes `/etc/hosts` and names of neighboring containers. */
const localLookup: Lookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/** Queries a name server directly: the system's lookup occupies the few threads that the whole process shares. */
export function resolverLookup(resolver: Resolver): Lookup {
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

const publicLookup = resolverLookup(new Resolver({ timeout: 1_500, tries: 2 }));
