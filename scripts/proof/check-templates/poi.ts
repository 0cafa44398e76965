/** Apache POI, the usual workbook library for Java. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { maven, project, run } from '../sdk-check/client.ts';
import type { Tool } from './tool.ts';

const version = '5.4.1';
const logVersion = '2.24.3';
const program = fileURLToPath(new URL('./FillTemplate.java', import.meta.url));

/** Limits downloads to these dependencies. */
const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>check</groupId><artifactId>templates</artifactId><version>1</version>
<dependencies>
<dependency><groupId>org.apache.poi</groupId><artifactId>poi-ooxml</artifactId><version>${version}</version></dependency>
<dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-core</artifactId><version>${logVersion}</version></dependency>
</dependencies></project>`;

export const poi: Tool = {
  name: 'poi',
  needs: 'Java 17 or later and Maven (apt-get install default-jdk maven)',
  formats: ['xlsx'],
  async version() {
    const { stderr } = await promisify(execFile)('java', ['-version']);
    await promisify(execFile)('mvn', ['-v']);
    return `Apache POI ${version}, ${stderr.split('\n')[0]}`;
  },
  async install(tools) {
    await writeFile(join(tools, 'pom.xml'), pom);
    await maven(['dependency:copy-dependencies', `-DoutputDirectory=${join(tools, 'lib')}`], tools);
  },
  async fill(tools, template, filling, target) {
    const path = [join(tools, 'lib', '*')].join(delimiter);
    await run('java', ['-cp', path, program, template, filling, target], { cwd: project });
  },
};
