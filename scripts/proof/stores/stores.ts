// Third-party object stores from package registries: how to install and start each, and create a bucket.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { project, run } from '../sdk-check/client.ts';

/** Credentials of the store's administrator. */
export const owner = { accessKey: 'owner', secretKey: 'owner-secret-key' };

interface StoreInstance {
  port: number;
  data: string;
  tools: string;
}

export interface Store {
  /** Name on the command line. */
  name: string;
  /** Display name with version. */
  label: string;
  /** Required command. */
  needs: string;
  /** Whether it verifies signatures. */
  checks_keys: boolean;
  /** Whether a pre-signed URL returns the signed content type and file name. */
  namesResponses: boolean;
  /** @param tools target folder; exists already */
  install(tools: string): Promise<void>;
  command(instance: StoreInstance): { command: string; args: string[]; env?: Record<string, string> };
  /** Creates the service's credentials, once the bucket exists. @param putPolicy sets the bucket policy */
  keys?(instance: StoreInstance, bucket: string, putPolicy: (policy: string) => Promise<void>): Promise<typeof owner>;
}

const versitygw: Store = {
  name: 'versitygw',
  label: 'versitygw 1.8.0',
  needs: 'go',
  checks_keys: true,
  namesResponses: true,
  async install(tools) {
    await run('go', ['install', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'], {
      cwd: tools,
      env: { GOBIN: tools, GOFLAGS: '-modcacherw -p=1' },
    });
  },
  command: ({ port, data, tools }) => ({
    command: join(tools, 'versitygw'),
    args: [
      ...['--port', `127.0.0.1:${port}`, '--access', owner.accessKey, '--secret', owner.secretKey, '--quiet'],
      ...['--iam-dir', join(data, 'iam'), 'posix', join(data, 'buckets')],
    ],
  }),
  /** With exactly the permissions of deploy/s3/policy.json. */
  async keys({ port, tools }, bucket, putPolicy) {
    const keys = { accessKey: 'service', secretKey: 'service/secret+key' };
    const admin = [
      ...['admin', '--access', owner.accessKey, '--secret', owner.secretKey],
      ...['--endpoint-url', `http://127.0.0.1:${port}`],
    ];
    const user = ['--access', keys.accessKey, '--secret', keys.secretKey, '--role', 'user'];
    await run(join(tools, 'versitygw'), [...admin, 'create-user', ...user], { cwd: tools });
    const policy = JSON.parse(await readFile(join(project, 'deploy/s3/policy.json'), 'utf8'));
    for (const statement of policy.Statement) statement.Principal = { AWS: [keys.accessKey] };
    await putPolicy(JSON.stringify(policy).replaceAll('BUCKET', bucket));
    return keys;
  },
};

const moto: Store = {
  name: 'moto',
  label: 'moto 5.2.1',
  needs: 'python3',
  checks_keys: false,
  namesResponses: false,
  async install(tools) {
    await run('python3', ['-m', 'venv', join(tools, 'venv')], { cwd: tools });
    await run(join(tools, 'venv/bin/pip'), ['install', '--quiet', 'moto[server]==5.2.1'], { cwd: tools });
  },
  command: ({ port, tools }) => ({
    command: join(tools, 'venv/bin/moto_server'),
    args: ['-H', '127.0.0.1', '-p', String(port)],
  }),
};

const s3mock: Store = {
  name: 's3mock',
  label: 'Adobe S3Mock 4.7.0',
  needs: 'mvn',
  checks_keys: false,
  namesResponses: true,
  async install(tools) {
    const artifact = 'com.adobe.testing:s3mock:4.7.0:jar:exec';
    const plugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
    const args = ['-q', '-B', `-Dmaven.repo.local=${join(tools, 'maven')}`];
    await run('mvn', [...args, `${plugin}:get`, `-Dartifact=${artifact}`, '-Dtransitive=false'], { cwd: tools });
  },
  command: ({ port, data, tools }) => ({
    command: 'java',
    args: ['-jar', join(tools, 'maven/com/adobe/testing/s3mock/4.7.0/s3mock-4.7.0-exec.jar')],
    env: {
      ...{
        COM_ADOBE_TESTING_S3MOCK_HTTPPORT: String(port),
        COM_ADOBE_TESTING_S3MOCK_STORE_ROOT: join(data, 'buckets'),
      },
      SERVER_PORT: '0', // the HTTPS port
    },
  }),
};

export const stores = [versitygw, moto, s3mock];

/** Folders that a store expects at startup. */
export async function makeFolders(data: string): Promise<void> {
  for (const name of ['iam', 'buckets']) await mkdir(join(data, name), { recursive: true });
}
