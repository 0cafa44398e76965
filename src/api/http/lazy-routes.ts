/** Lazy-loads route modules on their first request, to keep startup fast. That request takes some tenths of a second longer. */
import type { RequestHandler } from 'express';

export function onFirstRequest(load: () => Promise<RequestHandler>): RequestHandler {
  let loading: Promise<RequestHandler> | undefined;
  let loaded: RequestHandler | undefined;
  return async (req, res, next) => {
    if (loaded) return loaded(req, res, next);
    loading ??= load();
    try {
      loaded = await loading;
    } catch (error) {
      loading = undefined;
      return next(error);
    }
    return loaded(req, res, next);
  };
}
