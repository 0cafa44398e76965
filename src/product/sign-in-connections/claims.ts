/** A provider's claims about a person, for any protocol. */
export interface Claims {
  /** The provider's own id of the person; empty if it sends none. */
  sub: string;
  /** Object ID, sent by Entra ID over OpenID Connect; its SCIM uses the same id. */
  oid?: unknown;
  /** Only a claim of the provider: never enough to identify a person. */
  email?: unknown;
  email_verified?: unknown;
  acr?: unknown;
  amr?: unknown;
  /** Seconds since 1970. */
  auth_time?: number | undefined;
  /** The provider's id of the session, over OpenID Connect. */
  sid?: string | undefined;
  /** Claims that a test shows, if they differ from these. */
  shown?: Record<string, unknown> | undefined;
}
