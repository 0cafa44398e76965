/** The clients for the JVM, by openapi-generator: Java on the HTTP client of the JDK, and Kotlin on OkHttp. */
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { maven, needsCommand, type SdkClient, trips } from '../client.ts';
import { generateClient, installOpenapiGenerator, needsJava, openapiGenerator } from '../openapi-generator.ts';

const invoker = 'com.example.collaborators';
const packages = { invokerPackage: invoker, apiPackage: `${invoker}.api`, modelPackage: `${invoker}.model` };

export const java: SdkClient = {
  name: 'java',
  generator: openapiGenerator,
  document: 'openapi.json',
  length: 'whole',
  needs: [...needsJava, needsCommand('javac')],
  install: installOpenapiGenerator,
  async build(folders) {
    await generateClient(folders, 'java', {
      properties: { ...packages, hideGenerationTimestamp: true, useSingleRequestParameter: true },
      // Without the second the classes of multipart forms are left out, even where they are used. The third: one request
      // object has a method for each parameter, and Java has a `wait()` of its own.
      flags: [
        ...['--library', 'native'],
        ...['--global-property', 'skipFormModel=false'],
        ...['--parameter-name-mappings', 'wait=waitForAttempt'],
        ...['--schema-mappings', 'CustomFieldConditions=com.example.trip.CustomFieldConditions'],
      ],
    });
    const client = join(folders.work, 'client');
    const sources = join(client, 'src/main/java/com/example/trip');
    await mkdir(sources, { recursive: true });
    for (const name of ['Trip.java', 'CustomFieldConditions.java']) {
      await copyFile(join(trips, 'java', name), join(sources, name));
    }
    await maven(['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'], client);
  },
  trip: () => ['java', '-cp', 'client/target/classes:client/target/dependency/*', 'com.example.trip.Trip'],
};

export const kotlin: SdkClient = {
  name: 'kotlin',
  generator: openapiGenerator,
  document: 'openapi-3.0.json',
  length: 'short',
  needs: [...needsJava, needsCommand('javac')],
  install: installOpenapiGenerator,
  async build(folders) {
    // Two values of an enum may differ in what Kotlin can't have in a name.
    await generateClient(folders, 'kotlin', {
      properties: { packageName: invoker, enumPropertyNaming: 'UPPERCASE' },
      flags: ['--global-property', 'skipFormModel=false'],
    });
    const client = join(folders.work, 'client');
    await copyFile(join(trips, 'kotlin/Trip.kt'), join(client, 'src/main/kotlin/Trip.kt'));
    // It comes with a build for Gradle; Maven, which is here already, does the same by this file.
    await copyFile(join(trips, 'kotlin/pom.xml'), join(client, 'pom.xml'));
    await maven(['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'], client);
  },
  trip: () => ['java', '-cp', 'client/target/classes:client/target/dependency/*', 'TripKt'],
};
