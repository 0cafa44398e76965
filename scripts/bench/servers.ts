// Servers under measurement, as they would be deployed: each a process of its own, ended by id.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';

const children: ChildProcess[] = [];

/** @returns its address, from the first line of its output that names one */
export async function startServer(args: string[], env: Record<string, string>): Promise<string> {
  const settings = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), REQUIRE_HTTPS: 'false', PORT: '0', ...env };
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const base_url = /"base_url":"([^"]+)"/.exec(line)?.[1];
    if (!base_url) continue;
    child.stdout.resume(); // log lines are written and thrown away, as by any log collector
    return base_url;
  }
  throw new Error(`${args.join(' ')} did not start`);
}

export function stopServers(): void {
  for (const child of children.splice(0)) child.kill('SIGKILL');
}
