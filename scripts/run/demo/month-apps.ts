/** Apps of the demo company: one installed for the company, and one that a manager has connected. */

import { authorizationRequest, discover } from '../../../packages/cli/src/account/oauth.ts';
import { addApp } from '../../../src/product/apps/create-app.ts';
import { walkPages } from '../sign-in.ts';
import { accounts } from './demo-company.ts';
import { type Chapter, daysAgo, type Step } from './month-chapter.ts';
import { moveApp } from './month-times.ts';

const minuteMs = 60_000;

/** Nothing listens there: nobody uses the codes. */
const redirectUris = ['http://127.0.0.1/callback'];

const apps = [
  {
    name: 'Escala',
    description: 'Plans the shifts of the warehouses',
    website: 'https://escala.verdelog.example',
    scopes: ['profile', 'offline_access', 'collaborators:read'],
    accountEmail: accounts.admin,
    parameters: { installation: 'true' },
  },
  {
    name: 'Ponto Fácil',
    description: 'Time clock on the phone',
    website: 'https://ponto.verdelog.example',
    scopes: ['profile', 'offline_access', 'collaborators:read', 'documents:read'],
    accountEmail: accounts.manager,
    parameters: {},
  },
] as const;

export function appSteps({ world, password }: Chapter): Step[] {
  const nowMs = Date.now();
  const register = async ({ name, description, website, scopes, accountEmail, parameters }: (typeof apps)[number]) => {
    const admin = world.person(accounts.admin);
    const { row } = await world.tenant.transaction((tx) =>
      addApp(tx, {
        kind: 'confidential',
        name,
        description,
        website,
        redirect_uris: redirectUris,
        scopes: [...scopes],
        created_by: admin.user_id!,
      }),
    );
    world.audit(admin, 'createApp', { type: 'app', id: row.id });
    const server = await discover(world.base_url);
    const request = await authorizationRequest(server, row.id, redirectUris[0]!, scopes.join(' '));
    for (const [key, value] of Object.entries(parameters)) request.url.searchParams.set(key, value);
    await walkPages(request.url, { email: accountEmail, password });
    const at = world.at.getTime();
    await moveApp(world.db, row.id, world.at, new Date(Math.min(at + 25 * minuteMs, nowMs)));
  };
  return [
    { agoMin: daysAgo(25, 14), run: () => register(apps[0]) },
    { agoMin: daysAgo(12, 10, 30), run: () => register(apps[1]) },
  ];
}
