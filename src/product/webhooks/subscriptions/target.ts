/**
 * Where webhooks may be sent: checked when a URL is saved, before each attempt, and when connecting.
 *
 * Only the last check is safe against DNS names that change: it checks the addresses that are connected to. The first
 * one is there to inform the person who saves the URL.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { say, type Text } from '../../../contract/languages/text.ts';
import type { FieldError } from '../../../contract/problem.ts';
import { isHost, parseAddress } from '../../../platform/values/host-names.ts';
import { isRefusedAddress } from './addresses.ts';

/** All addresses of a name, IPv4 and IPv6. Rejects, or finds none, when it does not resolve. */
export type Lookup = (hostname: string) => Promise<string[]>;

/** The host leads, or may lead, to an address that nothing is sent to. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** A name has no address, or none was found out in time. */
export class NotResolved extends Error {
  override name = 'NotResolved';
}

/** How long saving waits for the name of a host, in milliseconds. Then it counts as one that does not resolve now. */
const saveLookupMs = 2_000;

/** The rest of the ports below 1024 belongs to other protocols, which a request could be mistaken for. */
const isAllowedPort = (port: string) => ['', '80', '443'].includes(port) || Number(port) >= 1024;

/**
 * What is wrong with the URL of a subscription that is to be saved. A name that does not resolve now is accepted: it is
 * checked again before each request.
 * @param settings what is allowed; `lookup` replaces the DNS of this machine
 */
export async function refuseTarget(
  url: string,
  settings: { allow_private: boolean; lookup?: Lookup },
): Promise<FieldError | undefined> {
  const message = await wrongTarget(parseAddress(url), settings);
  return message === undefined ? undefined : { code: 'invalid_format', message };
}

/** A URL without a fault, as it is kept and compared. */
export function keptUrl(url: string): string {
  return new URL(url).href;
}

async function wrongTarget(
  target: URL | undefined,
  { allow_private: allowPrivate, lookup = publicLookup }: { allow_private: boolean; lookup?: Lookup },
): Promise<Text | undefined> {
  if (!target?.hostname) return say`Must be an address, such as https://company.example/hooks.`;
  const message = wrongForm(target, { allow_private: allowPrivate });
  if (message || allowPrivate || isIP(hostOf(target))) return message;
  return (await leadsAstray(hostOf(target), lookup)) ? refusedMessage : undefined;
}

/** What is wrong with a URL as it is written; a name is not looked up. Asked again before each request. */
export function wrongForm(target: URL, { allow_private: allowPrivate }: { allow_private: boolean }): Text | undefined {
  if (target.protocol !== 'https:' && !(allowPrivate && target.protocol === 'http:'))
    return allowPrivate ? say`Must begin with https:// or http://.` : say`Must begin with https://.`;
  if (target.username || target.password) return say`Must not contain a user name or password.`;
  if (!isHost(target.hostname)) return say`The host must be a valid DNS name or an IP address.`;
  if (!isAllowedPort(target.port)) return say`Must have the port 443, 80, or one from 1024 on.`;
  if (allowPrivate) return undefined;
  const host = hostOf(target);
  const refused = isIP(host) ? isRefusedAddress(host) : /(^|\.)localhost$/.test(host);
  return refused ? refusedMessage : undefined;
}

const refusedMessage = say`Must not lead to a private, loopback, link-local or otherwise internal address.`;

/** Whether one of the addresses of a name is refused, as far as it can be found out in time. */
async function leadsAstray(hostname: string, lookup: Lookup): Promise<boolean> {
  const { promise: late, resolve: giveUp } = Promise.withResolvers<string[]>();
  const timer = setTimeout(giveUp, saveLookupMs, []);
  const addresses = await Promise.race([lookup(hostname).catch(() => []), late]);
  clearTimeout(timer);
  return addresses.some(isRefusedAddress);
}

/** A name in lower case without a dot at its end, or an address without brackets. */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '');
}

/**
 * How a socket finds the addresses of a name: one lookup, and it gets exactly those that were checked. If one of them is
 * refused it gets none, for it would be a matter of chance where the request goes.
 */
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
      throw new AddressRefused(`${hostname} leads to a refused one`);
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

/** What both ways to look a name up are chosen by. */
export function defaultLookup({ allow_private: allowPrivate }: { allow_private: boolean }): Lookup {
  return allowPrivate ? localLookup : publicLookup;
}

/** As other programs on this machine do it: also names of `/etc/hosts`, and of containers beside this one. */
const localLookup: Lookup = async (hostname) => {
  const found = await systemLookup(hostname, { all: true });
  return found.map(({ address }) => address);
};

/**
 * By asking a name server, without the few threads that the other way shares with everything else in the process: a name
 * server that answers slowly must not make others wait.
 * @param resolver which name servers are asked
 */
export function resolverLookup(resolver: Resolver): Lookup {
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [four, six].flatMap((found) => (found.status === 'fulfilled' ? found.value : []));
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}

const publicLookup = resolverLookup(new Resolver({ timeout: 1_500, tries: 2 }));
