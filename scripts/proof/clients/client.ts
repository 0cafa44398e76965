/** Interface of a third-party client. */
import type { walkPages } from '../../run/sign-in.ts';

export interface OAuthClient {
  /** Name on the command line. */
  name: string;
  /** Display name with version. */
  generator: string;
  needs: string[];
  /** Downloads it once per version. @param tools target folder; exists already */
  install(tools: string): Promise<void>;
  /** @returns what it did, as short sentences. @throws on failure */
  check(world: World, tools: string): Promise<string[]>;
}

export interface World {
  base_url: string;
  email: string;
  token: string;
  addApp(name: string, redirectUri: string): Promise<{ id: string; secret: string }>;
  /** Signs in at an authorization URL, and grants everything. @returns the parameters of the redirect */
  walk(url: URL): ReturnType<typeof walkPages>;
}
