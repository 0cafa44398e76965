/** The Go client, made by oapi-codegen. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, run, type SdkClient, trips } from './client.ts';

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';

export const go: SdkClient = {
  name: 'go',
  generator: 'oapi-codegen v2.8.2',
  needs: ['go'],
  async install(cwd) {
    await cp(join(trips, 'go'), cwd, { recursive: true });
    await run('go', ['install', generator], { cwd, env: { GOBIN: join(cwd, 'bin') } });
    await run('go', ['mod', 'download'], { cwd });
  },
  async build(cwd) {
    await run('bin/oapi-codegen', ['-config', 'oapi-codegen.yaml', contract], { cwd });
    await run('go', ['vet', './...'], { cwd });
    await run('go', ['build', '-o', 'bin/trip', '.'], { cwd });
  },
  trip: () => ['bin/trip'],
};
