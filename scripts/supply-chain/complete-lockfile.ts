// Adds the optional packages of other platforms to package-lock.json, which `npm ci` requires and npm omits if the registry lacks
// them. Run it after changing dependencies.
import { readFile, writeFile } from 'node:fs/promises';

interface Entry {
  version?: string;
  resolved?: string;
  link?: boolean;
  optional?: boolean;
  dev?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

const file = new URL('../../package-lock.json', import.meta.url);
const lock: { packages: Record<string, Entry> } = JSON.parse(await readFile(file, 'utf8'));
const added: string[] = [];

for (const parent of Object.values({ ...lock.packages })) {
  // The URL depends on the registry; the integrity doesn't. A link has the folder of a workspace.
  if (!parent.link) delete parent.resolved;
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const installPath = `node_modules/${name}`;
    if (installPath in lock.packages || Object.keys(lock.packages).some((path) => path.endsWith(`/${installPath}`)))
      continue;
    lock.packages[installPath] = { version, ...(parent.dev && { dev: true }), optional: true, ...platformOf(name) };
    added.push(name);
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
await writeFile(file, `${JSON.stringify(lock, null, 2)}\n`);
console.log(added.length > 0 ? `added ${added.join(', ')}` : 'package-lock.json is complete');

/** Derives the platform from a package name: `…-linux-arm64-musl`, `…-win32-x64`, `….darwin-arm64`, `…-wasm32-wasi`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/.]/);
  const os = ['android', 'darwin', 'freebsd', 'linux', 'win32', 'openharmony', 'openbsd', 'netbsd', 'sunos', 'aix'];
  const cpu = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'wasm32'];
  const known = (list: string[]) => list.filter((word) => words.includes(word));
  const libc = words.includes('musl') ? ['musl'] : words.some((word) => word.startsWith('gnu')) ? ['glibc'] : [];
  const platform = { os: known(os), cpu: known(cpu), ...(known(os).includes('linux') && libc.length && { libc }) };
  // A package without a platform could be installed by mistake: mark it as matching none.
  return platform.os.length + platform.cpu.length > 0 ? platform : { os: ['none'], cpu: ['none'] };
}
