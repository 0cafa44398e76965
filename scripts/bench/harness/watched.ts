// Starts a process of the service that monitors itself: its memory, and the delay of its event loop.
import { freePort } from '../../../test/helpers/network/free-port.ts';
import { startServer } from './servers.ts';

export interface Figures {
  rssBytes: number;
  peakBytes: number;
  p50_ms: number;
  p99_ms: number;
  max_ms: number;
}

export interface WatchedServer {
  base_url: string;
  /** Since the last reset. */
  figures(): Promise<Figures>;
  /** @returns the figures until now */
  reset(): Promise<Figures>;
}

export async function startWatched(role: 'api' | 'worker', env: Record<string, string>): Promise<WatchedServer> {
  const WATCH_PORT = String(await freePort());
  const args = ['--import', './scripts/bench/peers/watched.ts', 'src/main.ts', role];
  const fetchFigures = async (method: string) =>
    (await (await fetch(`http://127.0.0.1:${WATCH_PORT}/`, { method })).json()) as Figures;
  return {
    base_url: await startServer(args, { ...env, WATCH_PORT }),
    figures: () => fetchFigures('GET'),
    reset: () => fetchFigures('POST'),
  };
}

export function mb(bytes: number): number {
  return bytes / 1024 / 1024;
}
