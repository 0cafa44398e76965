/**
 * Executes a Dockerfile in a folder, as far as possible without a container engine: each stage is a folder for its file
 * system, COPY applies .dockerignore, and RUN uses a shell with the paths of the stage.
 *
 * Skips chown, because the test user may not change owners. FROM brings nothing along, so RUN has the programs of this
 * machine, with the project's Node. `npm ci` links packages of the context, and `npm run build` links its build.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';

interface Instruction {
  name: string;
  text: string;
}

/** Drops comments, and joins continued lines. */
export function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.split('\n').filter((line) => !/^\s*#/.test(line));
  const whole = lines.join('\n').replaceAll(/\\\n/g, ' ').split('\n');
  return whole
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, name, text] = /^(\w+)\s+(.*)$/.exec(line)!;
      return { name: name!.toUpperCase(), text: text! };
    });
}

/** Applies .dockerignore: the last line that matches a path, or a folder above it, decides. */
export function admits(dockerignore: string, path: string): boolean {
  const parts = path.split('/');
  const above = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  let admitted = true;
  for (const line of dockerignore.split('\n').map((text) => text.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const letsIn = line.startsWith('!');
    const pattern = line.replace(/^!/, '').replace(/^\//, '').replace(/\/$/, '');
    const fits = expressionOf(pattern);
    if (above.some((each) => fits.test(each))) admitted = letsIn;
  }
  return admitted;
}

/** Docker's pattern syntax, in which a star also matches names that start with a dot. */
function expressionOf(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*\/?|\*|\?)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    if (part === '*') return '[^/]*';
    return part === '?' ? '[^/]' : part.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`);
}

/** The result of a stage. */
export interface Image {
  /** The folder that represents `/`. */
  root: string;
  cwd: string;
  env: Record<string, string>;
  user: string | undefined;
  entrypoint: string[];
  command: string[];
  healthcheck: string[];
}

interface Building {
  /** The build context: a checkout. */
  context: string;
  dockerfile: string;
  dockerignore: string;
  /** An empty folder, for one subfolder per stage. */
  folder: string;
  env: Record<string, string>;
}

/** @throws if a step fails, or copies a missing file. @returns the last stage */
export async function build({ context, dockerfile, dockerignore, folder, env }: Building): Promise<Image> {
  const stages = new Map<string, Image>();
  let image: Image | undefined;
  for (const { name, text } of instructionsOf(dockerfile)) {
    if (name === 'ARG' && !image) continue; // names the base image for FROM
    if (name === 'FROM') {
      const stage = / AS (\S+)$/i.exec(text)?.[1] ?? 'last';
      image = await emptyStage(join(folder, stage));
      stages.set(stage, image);
      continue;
    }
    if (!image) throw new Error(`${name} before FROM`);
    await execute(image, { name, text }, { context, dockerignore, stages, env });
  }
  return image!;
}

async function emptyStage(root: string): Promise<Image> {
  await mkdir(root);
  return { root, cwd: root, env: {}, user: undefined, entrypoint: [], command: [], healthcheck: [] };
}

interface Surroundings extends Pick<Building, 'context' | 'dockerignore' | 'env'> {
  stages: Map<string, Image>;
}

async function execute(image: Image, { name, text }: Instruction, around: Surroundings): Promise<void> {
  switch (name) {
    case 'WORKDIR':
      image.cwd = pathIn(image, text);
      await mkdir(image.cwd, { recursive: true });
      return;
    case 'COPY':
      return copy(image, text, around);
    case 'RUN':
      await runStep(image, text, { ...around.env, CONTEXT: around.context });
      return;
    case 'ENV':
      for (const [, variable, value] of text.matchAll(/(\w+)=(\S+)/g)) image.env[variable!] = value!;
      return;
    case 'USER':
      image.user = text;
      return;
    case 'HEALTHCHECK':
      image.healthcheck = JSON.parse(text.slice(text.indexOf('[')));
      return;
    case 'ENTRYPOINT':
      image.entrypoint = JSON.parse(text);
      return;
    case 'CMD':
      image.command = JSON.parse(text);
      return;
    case 'VOLUME':
    case 'EXPOSE':
      return;
    default:
      throw new Error(`a step that is not known here: ${name} ${text}`);
  }
}

export function pathIn({ root, cwd }: Pick<Image, 'root' | 'cwd'>, path: string): string {
  return isAbsolute(path) ? join(root, path) : join(cwd, path);
}

async function copy(image: Image, text: string, { context, dockerignore, stages }: Surroundings): Promise<void> {
  const words = text.split(/\s+/);
  const from = words[0]!.startsWith('--from=') ? stages.get(words.shift()!.slice('--from='.length))! : undefined;
  const target = words.pop()!;
  for (const source of words) {
    const path = from ? pathIn({ root: from.root, cwd: from.root }, source) : join(context, source);
    const isIncluded = (file: string) => from !== undefined || isAdmitted(dockerignore, relative(context, file));
    if (!isIncluded(path)) throw new Error(`COPY ${source}: .dockerignore keeps it out of what is built`);
    const into = /\/$|^\.$/.test(target) ? join(pathIn(image, target), basename(source)) : pathIn(image, target);
    // The program takes a fraction of the time of Node's cp.
    await mkdir(dirname(into), { recursive: true });
    if (from) await promisify(execFile)('cp', ['-RP', path, into]);
    else await cp(path, into, { recursive: true, verbatimSymlinks: true, filter: isIncluded });
    if ((await stat(into)).isDirectory() && (await readdir(into)).length === 0) {
      throw new Error(`COPY ${source}: there is nothing in it that .dockerignore lets through`);
    }
  }
}

const isAdmitted = (dockerignore: string, path: string) => admits(dockerignore, path.split(sep).join('/'));

async function runStep(
  { root, cwd, env: variables, user }: Image,
  text: string,
  env: Record<string, string>,
): Promise<void> {
  // Absolute paths refer to the image.
  const here = text.replaceAll(/(?<=\s)\/(?=\w)/g, () => `"$ROOT"/`);
  const shell = ['-euc', `${isRoot ? chownAsRoot : 'chown() { :; }'}\n${npmWithLinks}\n${here}`];
  const options = { cwd, env: { ...env, ...variables, ROOT: root }, maxBuffer: 16 * 1024 * 1024, ...userIds(user) };
  await promisify(execFile)('sh', shell, options);
}

const isRoot = process.getuid?.() === 0;
/** The base image's user `node`, which this machine lacks. */
const chownAsRoot = 'chown() { shift; command chown 1000:1000 "$@"; }';

/** Installs and builds of the context, because those of their own would take minutes of CPU time. */
const npmWithLinks = `npm() {
  case "$*" in
    'run build') ln -s "$CONTEXT/packages/console/dist" dist ;;
    'ci --omit=dev '*)
      command npm "$@" --dry-run --offline > added
      sed -n 's/^add \\([^ ]*\\) .*/\\1/p' added | while read -r name; do
        mkdir -p "$(dirname "node_modules/$name")"
        ln -sfn "$CONTEXT/node_modules/$name" "node_modules/$name"
      done ;;
  esac
}`;

/** @returns what a process needs to run as the image's user, if the tests have the privileges */
export function userIds(user: string | undefined): { uid?: number; gid?: number } {
  if (!user || !isRoot) return {};
  const [uid, gid] = user.split(':').map(Number);
  return { uid: uid!, gid: gid! };
}
