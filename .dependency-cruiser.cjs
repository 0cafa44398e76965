/**
 * Import rules: which part of the code may import which. `docs/architecture.md` explains the layers.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Layers, top first. Each may import only those below it. */
const layers = ['(main|cli|service)\\.ts$', '(api|worker)/', 'product/', 'identity/', 'platform/', 'contract/'];

const downwardsOnly = layers.slice(1).map((layer, index) => {
  const above = layers.slice(0, index + 1).join('|');
  return rule('layers', 'A layer imports only those below it.', { path: `^src/${layer}` }, { path: `^src/(${above})` });
});

/** Layers of the console, including type imports. Its entry files (`main.tsx`, `routes.ts`, `router.tsx`) are above them. */
const consoleLayers = ['[^/]+$', 'screens/', 'parts/', 'api/'];

const consoleDownwardsOnly = consoleLayers.slice(1).map((layer, index) => {
  const above = consoleLayers.slice(0, index + 1).join('|');
  const [from, to] = [`^packages/console/src/${layer}`, `^packages/console/src/(${above})`];
  return rule(
    'console-layers',
    'Screens import parts and the API client; parts import the API client.',
    { path: from },
    { path: to },
  );
});

module.exports = {
  forbidden: [
    rule('no-circles', 'Files that import each other can only change together.', {}, { circular: true }),
    {
      ...rule(
        'no-circles-of-folders',
        'Folders that import each other can only change together.',
        {},
        { circular: true },
      ),
      scope: 'folder',
    },
    ...downwardsOnly,
    ...consoleDownwardsOnly,
    rule(
      'api-and-worker-apart',
      'The API and the worker are separate processes, and share only the layers below.',
      { path: '^src/(api|worker)/' },
      { path: '^src/(api|worker)/', pathNot: '^src/$1/' },
    ),
    rule(
      'generated-imports-nothing',
      'Generated files import only the functions that normalize texts.',
      { path: '^generated/' },
      { path: '^(src|scripts|packages)/', pathNot: '^src/contract/texts/' },
    ),
    rule(
      'compiles-no-schema',
      'Validators are generated, so that no process compiles schemas at startup.',
      { path: '^src/' },
      { path: 'node_modules/ajv', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'src-stands-alone',
      'The service needs no scripts, tools, or tests.',
      { path: '^src/', pathNot: '^src/(cli\\.ts$|api/cli/)' },
      { path: '^(scripts|packages|test)/' },
    ),
    rule(
      'one-command-line',
      'The command line of a checkout runs the source of the published package, without a build step.',
      { path: '^src/(cli\\.ts$|api/cli/)' },
      { path: '^(scripts|packages(?!/cli/src)|test)/' },
    ),
    rule(
      'packages-stand-alone',
      'A package could move to its own repository unchanged: it imports neither the service nor another package.',
      { path: '^packages/(?!console/)([^/]+)/' },
      { path: '^(src|scripts|generated|test|packages)/', pathNot: '^packages/$1/' },
    ),
    rule(
      'console-is-a-client',
      'The console is an API client. From the service it takes only the types of the contract, translations, text normalization, and the palette.',
      { path: '^packages/console/' },
      {
        path: '^(src|scripts|generated|test|packages)/',
        pathNot:
          '^(packages/console/|generated/(api\\.ts$|console/)|src/contract/texts/one-line\\.ts$|src/api/palette\\.css$)',
      },
    ),
    rule(
      'console-takes-types-alone',
      'Browsers load nothing of the contract: the console imports only its types.',
      { path: '^packages/console/' },
      { path: '^generated/(?!console/)', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'packages-used-as-published',
      'Scripts import packages by name, compiled as published, except for the command line, which they import from source.',
      { path: '^scripts/' },
      { path: '^packages/', pathNot: '^packages/([^/]+/dist/index\\.js$|cli/src/)' },
    ),
    rule(
      'packages-ship-their-source',
      'Published code needs no tests or scripts.',
      { path: '^packages/[^/]+/src/' },
      { path: '^packages/[^/]+/(?!src/|node_modules/)' },
    ),
    rule(
      'packages-name-what-they-need',
      'A package lists its dependencies in its own package.json: an installed package has no repository root.',
      { path: '^packages/[^/]+/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    ),
    rule(
      'transport-knows-no-noun',
      'The transport finds resources, file receivers, and unchanged values through the tables beside the registry.',
      { path: '^src/api/http/', pathNot: '^src/api/http/(handlers|resources|body/receivers|unchanged-values)\\.ts$' },
      { path: '^src/product/(collaborators|documents|webhooks|imports|exports|events)/' },
    ),
    rule(
      'handler-types-stand-between',
      'The types of handlers belong to neither the transport nor the operations.',
      { path: '^src/api/handler\\.ts$' },
      { path: '^src/api/' },
    ),
    rule(
      'one-registry',
      'Only the registry knows the operations.',
      { path: '^src/', pathNot: '^src/api/http/handlers\\.ts$|^src/api/operations/' },
      { path: '^src/api/operations/' },
    ),
    rule(
      'operations-know-no-transport',
      'A handler is a function of request and context, independent of express, tokens, and jobs.',
      { path: '^src/api/operations/' },
      {
        path: '^src/api/(?!handler\\.ts$|operations/)|^src/worker/|node_modules/(express|openapi-backend)/',
      },
    ),
    rule(
      'operations-stand-apart',
      'Code shared by two operations belongs to a lower layer.',
      { path: '^src/api/operations/[^/]+/([^/]+)\\.ts$' },
      { path: '^src/api/operations/[^/]+/[a-z]+[A-Z]', pathNot: '^src/api/operations/[^/]+/$1\\.ts$' },
    ),
    rule(
      'http-on-one-floor',
      'Only the API layer imports express and openapi-backend.',
      { path: '^src/', pathNot: '^src/api/' },
      { path: 'node_modules/(express|openapi-backend)/' },
    ),
    rule(
      'across-companies-by-the-worker-only',
      "Only the worker may query across companies; requests can't.",
      { path: '^src/', pathNot: '^src/worker/|^src/product/.*/(overdue-[a-z]+|delivery-meter)\\.ts$' },
      { path: '^src/product/.*/overdue-[a-z]+\\.ts$' },
    ),
    rule(
      'one-way-out',
      'Only the worker sends requests to URLs that companies chose.',
      { path: '^src/', pathNot: '^src/(service\\.ts$|worker/|product/delivery/)' },
      { path: '^src/product/delivery/(transport|send-attempt)\\.ts$' },
    ),
    rule(
      'traces-load-when-kept',
      'One file imports OpenTelemetry, and another loads that file if tracing is on.',
      { path: '^src/', pathNot: '^src/platform/observe/(otlp|start-tracing)\\.ts$' },
      { path: 'node_modules/@opentelemetry/|^src/platform/observe/otlp\\.ts$' },
    ),
    rule(
      'other-workbooks-by-one-file',
      'One file imports the library for other workbook formats, and loads it on demand.',
      { path: '^src/', pathNot: '^src/platform/sheets/xlsx/read-by-xlsx\\.ts$' },
      { path: 'node_modules/xlsx/' },
    ),
    rule(
      'sheets-stand-alone',
      'Spreadsheet code is independent of people and requests, because threads load it separately.',
      { path: '^src/platform/sheets/' },
      {
        path: '^(src|generated)/',
        pathNot:
          '^src/(platform/(sheets/|files/text\\.ts$)|contract/(languages/text|texts/(one-line|edit-distance))\\.ts$)',
      },
    ),
    rule(
      'docs-are-read-only',
      'Docs pages are made of the contract and Markdown alone, without a database, tokens, or companies.',
      { path: '^src/api/docs/' },
      {
        path: '^src/(?!api/docs/|contract/|api/common-style\\.ts$|api/http/responses/(preconditions|published)\\.ts$|identity/clients/reference-client\\.ts$)',
      },
    ),
    rule(
      'docs-used-by-nobody',
      'The API works without its documentation.',
      { path: '^src/', pathNot: '^src/api/(docs/|service-pages\\.ts$)' },
      { path: '^src/api/docs/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules|^packages/[^/]+/dist/' },
    exclude: { path: 'scripts/proof/sdk-check/trips' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};
