/** Entry point of the console: signs in, then renders the current route. */
import { MutationCache, notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isForAnotherPage, postResponse } from './api/client/popup.ts';
import { backoffMs, shouldRetry } from './api/client/retry.ts';
import { ensureSignedIn, type SignInRefused, serviceUrl, tryPath } from './api/client/sign-in.ts';
import { Stopped } from './parts/frame/error-boundary.tsx';
import { restoreRowHeight } from './parts/lists/row-height.ts';
import { reportUnseenErrors } from './parts/toasts/unseen-errors.ts';
import { loadTranslations } from './parts/translate.ts';
import { createConsoleRouter } from './router.tsx';
import { Refused } from './screens/refused.tsx';
import { WindowDone } from './screens/window-done.tsx';
import './style.css';

// A button is disabled before its second click: a timer, the default, would run after it.
notifyManager.setScheduler(queueMicrotask);

const root = createRoot(document.getElementById('console')!);
start().catch((error: unknown) => root.render(<Stopped error={error} />));

async function start(): Promise<void> {
  // The sign-in redirects to the public URL only, so the page must run there. `npm run dev` has its own URL.
  if (import.meta.env.PROD && location.origin !== serviceUrl) {
    location.replace(serviceUrl + location.pathname + location.search + location.hash);
    return;
  }
  await loadTranslations();
  restoreRowHeight();
  const params = new URLSearchParams(location.search);
  if (isForAnotherPage(params) || location.pathname === tryPath) {
    postResponse(params);
    root.render(<WindowDone />);
    return;
  }
  try {
    history.replaceState(null, '', await ensureSignedIn());
  } catch (error) {
    root.render(<Refused error={error as SignInRefused} />);
    return;
  }
  const mutationCache = new MutationCache();
  reportUnseenErrors(mutationCache);
  const queries = new QueryClient({
    mutationCache,
    // Without a connection, requests fail and say so. By default they would wait silently, and be sent at any later time.
    defaultOptions: {
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        retry: shouldRetry,
        retryDelay: backoffMs,
        staleTime: 5_000,
      },
      mutations: { networkMode: 'always' },
    },
  });
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={createConsoleRouter(queries)} />
      </QueryClientProvider>
    </StrictMode>,
  );
}
