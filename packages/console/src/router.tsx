/** Router setup: loading, error, and not-found states. */
import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { Broken } from './parts/frame/error-boundary.tsx';
import { Missing } from './parts/frame/missing.tsx';
import { Loading } from './parts/small.tsx';
import { routes } from './routes.ts';

export function createConsoleRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    basepath: import.meta.env.BASE_URL,
    context: { queries },
    defaultPreload: 'intent',
    defaultPendingComponent: Loading,
    defaultErrorComponent: Broken,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
    // Another person, app, or company starts with nothing of the previous one: no open form or dialog, no selection.
    defaultRemountDeps: ({ params }) => params,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
