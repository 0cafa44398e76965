/** JVM clients of openapi-generator: Java with the JDK's HTTP client, and Kotlin with OkHttp. */
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
      // skipFormModel=false: otherwise classes of multipart forms are omitted, even where used. The third flag: a request object
      // has a method per parameter, and Java reserves `wait()`.
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
    // Default names of two enum values would collide in Kotlin.
    await generateClient(folders, 'kotlin', {
      properties: { packageName: invoker, enumPropertyNaming: 'UPPERCASE' },
      flags: ['--global-property', 'skipFormModel=false'],
    });
    const client = join(folders.work, 'client');
    await copyFile(join(trips, 'kotlin/Trip.kt'), join(client, 'src/main/kotlin/Trip.kt'));
    // The generator creates a Gradle build; this file does the same for Maven, which is already required.
    await copyFile(join(trips, 'kotlin/pom.xml'), join(client, 'pom.xml'));
    await maven(['compile', 'dependency:copy-dependencies', '-DincludeScope=runtime'], client);
  },
  trip: () => ['java', '-cp', 'client/target/classes:client/target/dependency/*', 'TripKt'],
};
