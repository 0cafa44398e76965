// Replaces image tags with their current digests: `make pin-images`, with access to the registry. Uses docker buildx, which needs
// no daemon; LOOK_UP="crane digest" selects another tool.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { exit } from '../../src/platform/process/exit.ts';
import { imageFiles, imagesOf, pinImages } from './images.ts';

const byDocker = ['docker', 'buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}'];
const [program, ...args] = process.env.LOOK_UP?.split(/\s+/) ?? byDocker;

const texts = new Map(imageFiles.map((file) => [file, readFileSync(file, 'utf8')]));
const digests: Record<string, string> = {};
for (const image of new Set([...texts.values()].flatMap(imagesOf))) {
  try {
    const output = execFileSync(program!, [...args, image], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    digests[image] = /sha256:[0-9a-f]{64}/.exec(output)![0];
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    console.error(`no digest for ${image}: ${reason.split('\n').at(-1)}\nNothing was changed.`);
    exit(1);
  }
}
for (const [file, text] of texts) writeFileSync(file, pinImages(text, digests));
for (const [image, digest] of Object.entries(digests)) console.log(`${image} ${digest}`);
