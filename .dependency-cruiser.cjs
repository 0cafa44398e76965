/**
 * The arrows: which part of the code may import which. `docs/architecture.md` shows the picture.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** From the top to the ground. Each floor may use those below it, and none above. */
const floors = ['(main|cli|service)\\.ts$', '(api|worker)/', 'product/', 'identity/', 'platform/', 'contract/'];

const downwardsOnly = floors.slice(1).map((floor, index) => {
  const above = floors.slice(0, index + 1).join('|');
  return rule('floors', 'A floor uses those below it only.', { path: `^src/${floor}` }, { path: `^src/(${above})` });
});

/** The same of the console's folders, types included. What starts it (`main.tsx`, `routes.ts`, `router.tsx`) is above them. */
const consoleFloors = ['[^/]+$', 'screens/', 'parts/', 'api/'];

const consoleDownwardsOnly = consoleFloors.slice(1).map((floor, index) => {
  const above = consoleFloors.slice(0, index + 1).join('|');
  const [from, to] = [`^packages/console/src/${floor}`, `^packages/console/src/(${above})`];
  return rule('console-floors', 'Screens use parts and the API, parts use the API.', { path: from }, { path: to });
});

module.exports = {
  forbidden: [
    rule('no-circles', 'A circle means that two files are one.', {}, { circular: true }),
    {
      ...rule('no-circles-of-folders', 'A circle means that two folders are one.', {}, { circular: true }),
      scope: 'folder',
    },
    ...downwardsOnly,
    ...consoleDownwardsOnly,
    rule(
      'api-and-worker-apart',
      'The way in and what runs by itself are two processes: they share what is below them.',
      { path: '^src/(api|worker)/' },
      { path: '^src/(api|worker)/', pathNot: '^src/$1/' },
    ),
    rule(
      'generated-imports-nothing',
      'Generated files stand alone, but for what brings texts into their form.',
      { path: '^generated/' },
      { path: '^(src|scripts|packages)/', pathNot: '^src/contract/texts/' },
    ),
    rule(
      'compiles-no-schema',
      'Validators are generated, so that no process compiles them when it starts.',
      { path: '^src/' },
      { path: 'node_modules/ajv', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'src-stands-alone',
      'The service needs no script, no tool and no test.',
      { path: '^src/', pathNot: '^src/(cli\\.ts$|api/cli/)' },
      { path: '^(scripts|packages|test)/' },
    ),
    rule(
      'one-command-line',
      'The command line of a checkout has the commands of the package, as they stand: there is no build step.',
      { path: '^src/(cli\\.ts$|api/cli/)' },
      { path: '^(scripts|packages(?!/cli/src)|test)/' },
    ),
    rule(
      'packages-stand-alone',
      'A package could be taken out of this repository as it is: it knows nothing of the service, nor of another package.',
      { path: '^packages/(?!console/)([^/]+)/' },
      { path: '^(src|scripts|generated|test|packages)/', pathNot: '^packages/$1/' },
    ),
    rule(
      'console-is-a-client',
      'The console is a client like any other: of the service it has the types of the contract, its translations, the form of texts, and the palette.',
      { path: '^packages/console/' },
      {
        path: '^(src|scripts|generated|test|packages)/',
        pathNot:
          '^(packages/console/|generated/(api\\.ts$|console/)|src/contract/texts/one-line\\.ts$|src/api/palette\\.css$)',
      },
    ),
    rule(
      'console-takes-types-alone',
      'Nothing of the contract but its types is in what browsers load.',
      { path: '^packages/console/' },
      { path: '^generated/(?!console/)', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'packages-used-as-published',
      'Scripts use a package by its name, so they get what it exports, compiled; of the command line they use the source.',
      { path: '^scripts/' },
      { path: '^packages/', pathNot: '^packages/([^/]+/dist/index\\.js$|cli/src/)' },
    ),
    rule(
      'packages-ship-their-source',
      'What is compiled and published needs no test and no script.',
      { path: '^packages/[^/]+/src/' },
      { path: '^packages/[^/]+/(?!src/|node_modules/)' },
    ),
    rule(
      'packages-name-what-they-need',
      'What a package imports stands in its own package.json: the root of the repository is not there where it is installed.',
      { path: '^packages/[^/]+/src/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    ),
    rule(
      'transport-knows-no-noun',
      'What an id names is found by a table that stands beside the registry; what becomes of a file, and what answers show, by others.',
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
      'A handler is a function of request and context: it knows no express, no tokens, no jobs.',
      { path: '^src/api/operations/' },
      {
        path: '^src/api/(?!handler\\.ts$|operations/)|^src/worker/|node_modules/(express|openapi-backend)/',
      },
    ),
    rule(
      'operations-stand-apart',
      'What two operations share is a noun on a floor below.',
      { path: '^src/api/operations/[^/]+/([^/]+)\\.ts$' },
      { path: '^src/api/operations/[^/]+/[a-z]+[A-Z]', pathNot: '^src/api/operations/[^/]+/$1\\.ts$' },
    ),
    rule(
      'http-on-one-floor',
      'express and openapi-backend stay at the edge.',
      { path: '^src/', pathNot: '^src/api/' },
      { path: 'node_modules/(express|openapi-backend)/' },
    ),
    rule(
      'across-companies-by-the-worker-only',
      'What looks across companies is out of reach of a request.',
      { path: '^src/', pathNot: '^src/worker/|^src/product/.*/(overdue-[a-z]+|delivery-meter)\\.ts$' },
      { path: '^src/product/.*/overdue-[a-z]+\\.ts$' },
    ),
    rule(
      'one-way-out',
      'Only the worker sends to addresses that companies chose.',
      { path: '^src/', pathNot: '^src/(service\\.ts$|worker/|product/delivery/)' },
      { path: '^src/product/delivery/(transport|send-attempt)\\.ts$' },
    ),
    rule(
      'traces-load-when-kept',
      'One file knows the library of traces, and one loads that file, when traces are kept.',
      { path: '^src/', pathNot: '^src/platform/observe/(otlp|start-tracing)\\.ts$' },
      { path: 'node_modules/@opentelemetry/|^src/platform/observe/otlp\\.ts$' },
    ),
    rule(
      'other-workbooks-by-one-file',
      'One file knows the package that opens other kinds of workbooks, and loads it when there is one to open.',
      { path: '^src/', pathNot: '^src/platform/sheets/xlsx/read-by-xlsx\\.ts$' },
      { path: 'node_modules/xlsx/' },
    ),
    rule(
      'sheets-stand-alone',
      'Reading and writing of sheets knows neither people nor requests, only what is said of a file; threads load it by itself.',
      { path: '^src/platform/sheets/' },
      {
        path: '^(src|generated)/',
        pathNot: '^src/(platform/(sheets/|files/text\\.ts$)|contract/(languages/text|texts/one-line)\\.ts$)',
      },
    ),
    rule(
      'docs-are-read-only',
      'What is published comes from the contract and from Markdown: no database, no tokens, no companies.',
      { path: '^src/api/docs/' },
      {
        path: '^src/(?!api/docs/|contract/|api/common-style\\.ts$|api/http/responses/(preconditions|published)\\.ts$|identity/clients/reference-client\\.ts$)',
      },
    ),
    rule(
      'docs-used-by-nobody',
      'The API works without its documentation.',
      { path: '^src/', pathNot: '^src/api/(docs/|pages-of-service\\.ts$)' },
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
