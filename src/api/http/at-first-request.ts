/**
 * Routes whose modules are loaded by the first request that comes to them, because a start is not to wait for what few requests
 * need. It costs that request some tenths of a second, and saves as much at each start.
 */
import type { RequestHandler } from 'express';

/** @param load is called once, and again by the next request when it has failed */
export function atFirstRequest(load: () => Promise<RequestHandler>): RequestHandler {
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
