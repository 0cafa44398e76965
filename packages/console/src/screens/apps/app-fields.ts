/** Form state of an app, and the request made from it. */
import { oneLine } from '../../../../../src/contract/texts/one-line.ts';
import type { App, AppChange } from '../../api/apps.ts';

export interface AppFields {
  name: string;
  description: string;
  website: string;
  logo_url: string;
  kind: App['kind'];
  redirect_uris: { uri: string }[];
  /** `null` for every scope. */
  scopes: string[] | null;
  visibility: App['visibility'];
}

export const newApp: AppFields = {
  name: '',
  description: '',
  website: '',
  logo_url: '',
  kind: 'confidential',
  redirect_uris: [{ uri: '' }],
  scopes: ['profile', 'offline_access', 'collaborators:read'],
  visibility: 'company',
};

export function fieldsOf({
  name,
  description,
  website,
  logo_url: logoUrl,
  kind,
  redirect_uris: redirectUris,
  scopes,
  visibility,
}: App): AppFields {
  return {
    name,
    description: description ?? '',
    website: website ?? '',
    logo_url: logoUrl ?? '',
    kind,
    redirect_uris: redirectUris.map((uri) => ({ uri })),
    scopes,
    visibility,
  };
}

/** Request body; empty strings become null. */
export function sentOf({
  name,
  description,
  website,
  logo_url: logoUrl,
  redirect_uris: redirectUris,
  scopes,
  visibility,
}: AppFields) {
  return {
    name: oneLine(name),
    description: description.trim() || null,
    website: website.trim() || null,
    logo_url: logoUrl.trim() || null,
    redirect_uris: redirectUris.map(({ uri }) => uri.trim()).filter(Boolean),
    scopes,
    visibility,
  } satisfies AppChange;
}

export function changeOf(from: AppFields, to: AppFields): AppChange {
  const [before, after] = [sentOf(from), sentOf(to)] as [Record<string, unknown>, Record<string, unknown>];
  const changed = Object.keys(after).filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}

/** Fields the operator reviewed: changing one revokes the approval. */
const approved = ['name', 'website', 'logo_url', 'redirect_uris', 'scopes'] as const;

export type Consequence = 'approval' | 'scopes' | 'redirects';

/** Effects of a change on users. */
export function consequencesOf(app: App, change: AppChange): Consequence[] {
  const { scopes, redirect_uris: redirectUris } = change;
  const losesScopes =
    scopes !== undefined &&
    scopes !== null &&
    (app.scopes === null || app.scopes.some((each) => !scopes.includes(each)));
  const losesRedirects = redirectUris !== undefined && app.redirect_uris.some((each) => !redirectUris.includes(each));
  return [
    ...(app.approved_at !== null && approved.some((name) => name in change) ? (['approval'] as const) : []),
    ...(losesScopes ? (['scopes'] as const) : []),
    ...(losesRedirects ? (['redirects'] as const) : []),
  ];
}
