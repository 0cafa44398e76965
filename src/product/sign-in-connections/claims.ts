/** What a provider says of a person, whatever the protocol. */
export interface Claims {
  /** The provider's own key for them; empty where it names none. */
  sub: string;
  /** Of Entra ID by OpenID Connect, which calls the same person by it in SCIM. */
  oid?: unknown;
  /** What the provider says is their address: never enough to find somebody by. */
  email?: unknown;
  email_verified?: unknown;
  acr?: unknown;
  amr?: unknown;
  /** Seconds since 1970. */
  auth_time?: number | undefined;
  /** For a test, where it is not all of these. */
  shown?: Record<string, unknown> | undefined;
}
