/** Checks the Node version, in syntax of any Node, so that an old one fails with a clear message instead of a stack trace. */
const needed = Number(require('../../../package.json').engines.node.match(/\d+/)[0]);

if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `error: Node ${needed} or later is needed, and ${process.execPath} is Node ${process.versions.node}: install it from ` +
      'https://nodejs.org, or, in a checkout, run `make install`, which brings it\n',
  );
  // biome-ignore lint/plugin: nothing is under way that could hang, and this Node can't read the module
  process.exit(1);
}
