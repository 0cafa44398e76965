/** A way to Postgres that can fall silent: connections stay open, and nothing passes. */
import { type Gate, startGate } from '../../scripts/proof/chaos/gate.ts';

/** @returns the gate, with the address that leads through it */
export async function gateTo(url: string): Promise<Gate & { url: string }> {
  const { hostname, port } = new URL(url);
  const gate = await startGate([{ host: hostname, port: Number(port || 5432) }]);
  return { ...gate, url: Object.assign(new URL(url), { host: `127.0.0.1:${gate.port}` }).href };
}
