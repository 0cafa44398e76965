/** Opens a URL in the user's browser, if there is one. */
import { spawn } from 'node:child_process';
import type { Environment } from '../terminal/context.ts';

/** Best effort: does nothing on a machine without a display. */
export function openBrowser(url: URL, environment: Environment): void {
  const command = opener(environment);
  if (!command) return;
  const child = spawn(command[0]!, [...command.slice(1), url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => {}); // no such program; the URL was printed as well
  child.unref();
}

function opener({ DISPLAY, WAYLAND_DISPLAY }: Environment): string[] | undefined {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  // Without a display, xdg-open would start a text browser in this terminal.
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
