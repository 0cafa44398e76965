/** The rule that every error emitter has a listener: it detects violations. `make static` checks src. */
import { emittersWithoutListener } from '../../scripts/lint/error-listeners/rule.ts';

test.each([
  ['a client of the database', 'const client = new pg.Client(url);\nawait client.connect();'],
  ['a pool of threads', 'this.#pool = new Piscina({});'],
  ['a stream that is given away', 'return handle.createReadStream(range);'],
  [
    'a stream that waits for something else',
    'const out = createWriteStream(path);\nawait mkdir(folder);\nout.write("x");',
  ],
  ['a server', 'const server = createServer(answer);\nserver.listen(port);'],
  ['a listener for one error', "const socket = given();\nsocket.once('error', reject);"],
  ['a program', 'const child = spawn(command);\nchild.unref();'],
  ['a connection', "import { connect } from 'node:net';\nconst socket = connect(port);"],
  ['a stream that a signal ends', 'await put(key, addAbortSignal(signal, source));'],
  ['a log', 'return pino(options, pino.destination(1));'],
])('detects %s without a listener', (_, source) => {
  expect(emittersWithoutListener('seed.ts', source)).toHaveLength(1);
});

test.each([
  "const client = new pg.Client(url);\nclient.on('error', () => {});",
  "this.#pool = new Piscina({});\nthis.#pool.on('error', () => {});",
  "return handle.createReadStream(range).on('error', () => {});",
  'await pipeline(content, createWriteStream(path));',
  'for await (const chunk of packed.pipe(createGunzip())) use(chunk);',
  'const part = new PassThrough();\nawait pipeline(stream, part);',
  "import { connect } from './connection.ts';\nconst client = await connect(url);",
  "server.once('error', reject);\nserver.off('error', reject);",
])('recognizes the listener: %s', (source) => {
  expect(emittersWithoutListener('seed.ts', source)).toEqual([]);
});
