/**
 * The arrows between the rooms of src/: which folder may import which. README.md shows the picture.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    rule('no-circles', 'A circle means that two files are one.', {}, { circular: true }),
    rule(
      'generated-imports-nothing',
      'Generated files stand alone.',
      { path: '^generated/' },
      { path: '^(src|scripts)/' },
    ),
    rule(
      'src-stands-alone',
      'The product needs no script and no test.',
      { path: '^src/' },
      { path: '^(scripts|test)/' },
    ),
    rule(
      'one-registry',
      'Only the registry knows the operations.',
      { path: '^src/', pathNot: '^src/http/handlers\\.ts$|^src/operations/' },
      { path: '^src/operations/' },
    ),
    rule(
      'operations-know-no-transport',
      'A handler is a function of request and context: it knows no express, no tokens, no jobs.',
      { path: '^src/operations/' },
      { path: '^src/(oauth|jobs|cli|app|service|main|config)|^src/http/(?!handler\\.ts$)|express|openapi-backend' },
    ),
    rule(
      'operations-stand-apart',
      'What two operations share is a noun in a room below them.',
      { path: '^src/operations/[^/]+/([^/]+)\\.ts$' },
      { path: '^src/operations/[^/]+/[a-z]+[A-Z]', pathNot: '^src/operations/[^/]+/$1\\.ts$' },
    ),
    rule(
      'transport-in-one-room',
      'express and openapi-backend stay at the edge.',
      { path: '^src/', pathNot: '^src/(app\\.ts$|http/|oauth/|docs/)' },
      { path: 'node_modules/(express|openapi-backend)/' },
    ),
    rule(
      'jobs-know-no-http',
      'Jobs carry ids and use the rooms below.',
      { path: '^src/jobs/' },
      { path: '^src/(http|operations|app|cli)' },
    ),
    rule(
      'db-at-the-bottom',
      'The database room knows nobody above it.',
      { path: '^src/(db|events)/' },
      { path: '^src/(http|operations|oauth|access|collaborators|accounts|webhooks|jobs|app|service|main|config|cli)' },
    ),
    rule(
      'across-companies-by-the-worker-only',
      'What looks across companies is out of reach of a request.',
      { path: '^src/', pathNot: '^src/(jobs/|(webhooks|imports|exports)/(overdue|meter)\\.ts$)' },
      { path: '^src/(webhooks|imports|exports)/overdue\\.ts$' },
    ),
    rule(
      'one-way-out',
      'Only the worker sends to addresses that companies chose.',
      { path: '^src/(operations|http|collaborators|imports|exports)/' },
      { path: '^src/webhooks/(transport|deliver)\\.ts$' },
    ),
    rule(
      'traces-load-when-kept',
      'One file knows the library of traces, and one loads that file, when traces are kept.',
      { path: '^src/', pathNot: '^src/tracing/(otlp|start)\\.ts$' },
      { path: 'node_modules/@opentelemetry/|^src/tracing/otlp\\.ts$' },
    ),
    rule(
      'sheets-stand-alone',
      'Reading and writing of sheets knows neither people nor requests; threads load it by itself.',
      { path: '^src/sheets/' },
      { path: '^(src|generated)/', pathNot: '^src/(sheets/|files/text\\.ts$)' },
    ),
    rule(
      'docs-are-read-only',
      'What is published comes from the contract and from Markdown: no database, no tokens, no companies.',
      { path: '^src/docs/' },
      {
        path: '^src/(?!docs/|contract\\.ts$|http/router\\.ts$|collaborators/preconditions\\.ts$|oauth/reference-client\\.ts$)',
      },
    ),
    rule(
      'docs-used-by-nobody',
      'The API works without its documentation.',
      { path: '^src/', pathNot: '^src/(docs/|app\\.ts$)' },
      { path: '^src/docs/' },
    ),
    rule(
      'nouns-below-http',
      'Access, collaborators, documents, imports, exports and alike are used by operations, jobs and the command line.',
      {
        path: '^src/((access|audit|collaborators|accounts|documents|erasure|files|imports|exports|webhooks)/|validation\\.ts$)',
      },
      { path: '^src/(http|operations|jobs|app|service|main|config|cli)' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};
