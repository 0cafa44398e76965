/** A proxy to Postgres that can stall: connections stay open, but no data passes. */
import { type Gate, startGate } from '../../../scripts/proof/chaos/machines/gate.ts';

/** @returns the gate and the URL that leads through it */
export async function gateTo(url: string): Promise<Gate & { url: string }> {
  const { hostname, port } = new URL(url);
  const gate = await startGate([{ host: hostname, port: Number(port || 5432) }]);
  return { ...gate, url: Object.assign(new URL(url), { host: `127.0.0.1:${gate.port}` }).href };
}
