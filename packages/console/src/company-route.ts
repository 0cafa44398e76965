/** The root routes: the index, which redirects to a company, and the company layout around all other screens. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { permissionsQuery, sessionQuery } from './api/client/session.ts';
import { Frame } from './parts/frame/layout.tsx';
import { Missing } from './parts/frame/missing.tsx';
import { rememberCompany, rememberedCompany } from './parts/remembered-company.ts';
import { NoCompany } from './screens/no-company.tsx';

export const root = createRootRouteWithContext<{ queries: QueryClient }>()({ notFoundComponent: Missing });

export const entry = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ context: { queries } }) => {
    const { companies } = await queries.ensureQueryData(sessionQuery);
    const last = rememberedCompany();
    const company = companies.find(({ id }) => id === last) ?? companies[0];
    if (company) throw redirect({ to: '/$company', params: { company: company.id }, replace: true });
  },
  component: NoCompany,
});

export const company = createRoute({
  getParentRoute: () => root,
  path: '$company',
  beforeLoad: async ({ context: { queries }, params }) => {
    const { companies } = await queries.ensureQueryData(sessionQuery);
    const found = companies.find(({ id }) => id === params.company);
    if (found) {
      rememberCompany(found.id);
      void queries.prefetchQuery(permissionsQuery(found.id)); // in parallel with loading the screen's code
    }
    return { found };
  },
  component: Frame,
  remountDeps: () => undefined, // keeps the focus in the company switch
  notFoundComponent: Missing, // keeps the navigation
});
