/**
 * Run before everything else by `npm start` and `npm run cli`, in the JavaScript of any Node: one that is too old, which could not
 * read the first file of ours, ends with a sentence in place of a stack trace.
 */
const needed = Number(require('../../../package.json').engines.node.match(/\d+/)[0]);

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `error: Node ${needed} or later is needed, and ${process.execPath} is Node ${process.versions.node}: install it from ` +
      'https://nodejs.org, or, in a checkout, run `make install`, which brings it\n',
  );
  // biome-ignore lint/plugin: nothing is under way that could hang, and this Node can't read the module
  process.exit(1);
}
