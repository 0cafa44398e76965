// Keeps an access token valid: refreshes it before it expires, and signs in again when the grant has ended.
import { GrantEnded, refreshTokens, type Server, type Tokens } from '../../../packages/cli/src/account/oauth.ts';
import type { Outcome, TrafficLog } from './traffic-log.ts';

/** How long before expiry to refresh, so that it does not expire in transit. */
const earlyMs = 2_000;
/** How long a used refresh token may be resent; slightly less than the service allows. */
const reuseWindowMs = 55_000;

export interface TokenKeeperOptions {
  server: Server;
  client_id: string;
  tokens: Tokens;
  trafficLog: TrafficLog;
  signIn(): Promise<Tokens>;
}

export class TokenKeeper {
  readonly #options: TokenKeeperOptions;
  #tokens: Tokens;
  #expiresMs: number;
  /** When this refresh token was first sent; it stays valid for a minute after use. */
  #firstSentMs: number | undefined;
  #signedOut = false;

  constructor(options: TokenKeeperOptions) {
    this.#options = options;
    this.#tokens = options.tokens;
    this.#expiresMs = endOf(options.tokens);
  }

  get access_token(): string {
    return this.#tokens.access_token;
  }

  /** Called when the service reports it as expired. */
  expire(): void {
    this.#expiresMs = 0;
  }

  /** @returns whether there is a valid access token */
  async isGood(): Promise<boolean> {
    return performance.now() <= this.#expiresMs || (await this.#refresh());
  }

  async #refresh(): Promise<boolean> {
    const { trafficLog, server, client_id: clientId } = this.#options;
    const startedMs = performance.now();
    this.#firstSentMs ??= startedMs;
    const count = (outcome: Outcome) =>
      trafficLog.attempts.push({ operation: 'refresh', outcome, startedMs, endedMs: performance.now() });
    try {
      this.#store(
        this.#signedOut
          ? await this.#options.signIn()
          : await refreshTokens(server, clientId, this.#tokens.refresh_token!),
      );
      count('ok');
      return true;
    } catch (error) {
      const { message } = error as Error;
      if (error instanceof GrantEnded) {
        const afterMs = startedMs - this.#firstSentMs;
        // Resent later, it counts as stolen: the user must sign in again, as the guide says.
        const isExpected = afterMs > reuseWindowMs;
        count(isExpected ? 'expected' : 'refused');
        if (!isExpected) {
          const afterS = (afterMs / 1_000).toFixed(1);
          trafficLog.violation(`a refresh token was refused ${afterS} s after it was sent first: ${message}`);
        }
        this.#signedOut = true;
      } else count(/temporarily_unavailable|HTTP status code/.test(message) ? 'unavailable' : 'network');
      return false;
    }
  }

  #store(fresh: Tokens): void {
    this.#tokens = fresh;
    this.#expiresMs = endOf(fresh);
    this.#firstSentMs = undefined;
    this.#signedOut = false;
  }
}

function endOf(tokens: Tokens): number {
  return performance.now() + (tokens.expires_in ?? 60) * 1_000 - earlyMs;
}
