/** The Java client, made by openapi-generator on the HTTP client of the JDK. Maven gets the generator too. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { contract, run, type SdkClient, trips } from './client.ts';

const version = '7.25.0';
const invoker = 'com.example.collaborators';

export const java: SdkClient = {
  name: 'java',
  generator: `openapi-generator ${version}`,
  needs: ['java', 'javac', 'mvn'],
  async install(cwd) {
    const artifact = `-Dartifact=org.openapitools:openapi-generator-cli:${version}`;
    await run('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${cwd}/generator`], { cwd });
  },
  async build(cwd) {
    const jar = `generator/openapi-generator-cli-${version}.jar`;
    await copyFile(contract, join(cwd, 'openapi.json')); // the generator can't read from a folder with a space in its name
    const properties = `invokerPackage=${invoker},apiPackage=${invoker}.api,modelPackage=${invoker}.model`;
    await run(
      'java',
      [
        ...['-jar', jar, 'generate', '-g', 'java', '--library', 'native', '-i', 'openapi.json', '-o', 'client'],
        // Without it the classes of multipart forms are left out, even where they are used.
        ...['--global-property', 'skipFormModel=false'],
        ...['--additional-properties', `${properties},hideGenerationTimestamp=true,useSingleRequestParameter=true`],
      ],
      { cwd },
    );
    const sources = join(cwd, 'client/src/main/java/com/example/trip');
    await mkdir(sources, { recursive: true });
    await copyFile(join(trips, 'java/Trip.java'), join(sources, 'Trip.java'));
    const goals = ['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'];
    await run('mvn', ['-q', '-B', ...goals], { cwd: join(cwd, 'client') });
  },
  trip: () => ['java', '-cp', 'client/target/classes:client/target/dependency/*', 'com.example.trip.Trip'],
};
