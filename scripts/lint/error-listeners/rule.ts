// An 'error' event without a listener ends the process. So every emitter needs a listener where it is created: .on('error', …),
// or a consumer that listens for its whole lifetime. `once` is not enough: the second error ends the process.
import ts from 'typescript';

/** Classes and functions that create streams, servers, sockets, connections, processes, and threads. */
const makers = new Set([
  ...['Duplex', 'PassThrough', 'Transform', 'Writable', 'Piscina', 'Worker', 'ZipFile', 'pg.Client', 'pg.Pool', 'ForgivingPool'],
  ...['createReadStream', 'createWriteStream', 'createGunzip', 'createGzip', 'createInflate', 'createDeflate'],
  ...['createServer', 'createTlsServer', 'createConnection', 'connect', 'tlsConnect', 'httpRequest', 'httpsRequest'],
  ...['spawn', 'fork', 'execFile', 'nodemailer.createTransport', 'pino.destination', 'copyFrom', 'copyTo'],
]); // biome-ignore format: by kind

/** Consumers that listen from the start of a stream to its end. */
const listeners = new Set(['pipeline', 'finished', 'buffer', 'text', 'json', 'promisify']);

/** @returns emitters without a listener, or with a one-time listener only: `path:line: what` */
export function emittersWithoutListener(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const report = (node: ts.Node, message: string) => {
    found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${message}`);
  };
  const visit = (node: ts.Node): void => {
    const name = clientOwnerOf(node, source);
    if (name && !hasListener(node, source)) report(node, `nobody listens to the errors of this ${name}`);
    const abortedStream = endedBySignal(node);
    if (abortedStream && !listensTo(abortedStream, source))
      report(node, `nobody listens when the signal ends ${abortedStream}`);
    const listenedOnce = onceOf(node, source);
    if (listenedOnce && !listensTo(listenedOnce, source))
      report(node, `the second error of ${listenedOnce} ends the process: use on, not once`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function clientOwnerOf(node: ts.Node, source: string): string | undefined {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return undefined;
  const written = node.expression.getText();
  if (written === 'connect' && !connects.test(source)) return undefined; // our own database `connect`
  if (makers.has(written)) return written;
  // Matches methods such as handle.createReadStream(), but not pool.connect(), which is no emitter.
  const last = written.split('.').at(-1)!;
  return last.startsWith('create') && last.endsWith('Stream') && makers.has(last) ? last : undefined;
}

const connects = /import \{[^}]*\bconnect\b[^}]*\} from 'node:(?:net|tls)'/;

/** The stream that `addAbortSignal` destroys with an error, even if nobody has read it yet. */
function endedBySignal(node: ts.Node): string | undefined {
  return ts.isCallExpression(node) && node.expression.getText() === 'addAbortSignal'
    ? node.arguments[1]?.getText()
    : undefined;
}

/** The object of `object.once('error', …)`. */
function onceOf(node: ts.Node, file: string): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const [event] = node.arguments;
  const isError = event !== undefined && ts.isStringLiteral(event) && event.text === 'error';
  const isOnce = isError && node.expression.name.text === 'once';
  const object = node.expression.expression.getText();
  // Temporary, in addition to a permanent listener.
  return isOnce && !file.includes(`${object}.off('error'`) ? object : undefined;
}

function hasListener(emitter: ts.Node, source: string): boolean {
  for (let node = emitter; node.parent; node = node.parent) {
    const { parent } = node;
    if (ts.isForOfStatement(parent) && parent.awaitModifier && parent.expression === node) return true;
    if (ts.isCallExpression(parent) && parent.expression !== node && listeners.has(lastName(parent))) return true;
    if (ts.isPropertyAccessExpression(parent) && isOnError(parent.parent)) return true;
    if (ts.isVariableDeclaration(parent)) return listensTo(parent.name.getText(), source);
    if (ts.isBinaryExpression(parent) && parent.right === node) return listensTo(parent.left.getText(), source);
    if (ts.isBlock(parent) || ts.isFunctionLike(parent)) return false;
  }
  return false;
}

function lastName(call: ts.CallExpression): string {
  return call.expression.getText().split('.').at(-1)!;
}

function isOnError(node: ts.Node): boolean {
  return (
    ts.isCallExpression(node) && /\.on$/.test(node.expression.getText()) && node.arguments[0]?.getText() === "'error'"
  );
}

function listensTo(name: string, source: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\#]/g, '\\$&');
  const own = new RegExp(`(?<![\\w.])${escaped}\\s*\\.on\\('error'`);
  const consumed = new RegExp(`\\b(?:pipeline|finished|buffer|text|json)\\((?:[^;]*?\\W)?${escaped}\\b`);
  const looped = new RegExp(`for await \\([^;]*? of (?:[^;]*?\\W)?${escaped}\\b`);
  return own.test(source) || consumed.test(source) || looped.test(source);
}
