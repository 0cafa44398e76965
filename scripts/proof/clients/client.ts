/** What one client of other people is for the check. */
import type { walkPages } from '../../run/sign-in.ts';

export interface OAuthClient {
  /** Names it on the command line. */
  name: string;
  /** What it is, with its version. */
  generator: string;
  /** Commands that the machine must have. */
  needs: string[];
  /** Gets it from its registry, once for each version. @param tools where it goes; there already */
  install(tools: string): Promise<void>;
  /** @returns what it did, as short sentences. @throws what went wrong */
  check(world: World, tools: string): Promise<string[]>;
}

export interface World {
  base_url: string;
  /** Of the person who signs in. */
  email: string;
  /** Of that person, with every scope. */
  token: string;
  /** Registers a confidential app. */
  addApp(name: string, redirectUri: string): Promise<{ id: string; secret: string }>;
  /** Signs in at the address of an authorization request, and allows everything. @returns what the client gets back */
  walk(url: URL): ReturnType<typeof walkPages>;
}
