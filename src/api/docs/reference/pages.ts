/** The reference, rendered from the contract. Pages work without scripts, except for the form that sends a request. */
import { contract, contractOperations, type Operation, resolve, type Schema } from '../../../contract/contract.ts';
import type { Content } from '../../http/responses/published.ts';
import { eventPath, operationPath, render, renderBlock } from '../markdown.ts';
import { page } from '../page.ts';
import { type Body, examplesOf } from './examples.ts';
import { describe, fieldsOf } from './fields.ts';
import { events, referenceNavigation, tags } from './navigation.ts';
import { samplesOf } from './samples.ts';
import { tryForm } from './try-form.ts';

export function referenceIndex(): Content {
  const { title, summary, description } = contract.info as typeof contract.info & Record<string, string>;
  const introduction = render(`# ${title}\n\n${description}`, String);
  const headings = [
    { id: 'operations', html: 'Operations' },
    { id: 'events', html: 'Events' },
    ...introduction.headings,
  ];
  const options = {
    title,
    description: 'Every operation and event of the API, with its fields and examples.',
    path: '/docs/reference',
    headings,
  };
  const data = { summary, html: introduction.html, tags: tags(), events: events(), navigation: referenceNavigation() };
  return page('@reference', options, data);
}

type DescribedOperation = Operation & { summary: string; description?: string };

export function operationPage(operationId: string, baseUrl: string): Content {
  const { method, path, operation } = contractOperations.find((each) => each.operation.operationId === operationId)!;
  const { summary, description = '' } = operation as DescribedOperation;
  const { request, body_html: bodyHtml } = requestOf(operation);
  const outcomes = responsesOf(operation);
  const headings = [
    { id: 'try', html: 'Try it', is_there: true },
    { id: 'parameters', html: 'Parameters', is_there: (operation.parameters ?? []).length > 0 },
    { id: 'body', html: 'Body', is_there: request.length > 0 },
    { id: 'responses', html: 'Responses', is_there: true },
    { id: 'errors', html: 'Errors', is_there: outcomes.refusals.length > 0 },
  ].filter(({ is_there: isThere }) => isThere);
  const options = {
    title: summary,
    description: `${method.toUpperCase()} ${path}: ${summary}.`,
    path: operationPath(operation),
    headings,
  };
  return page('@operation', options, {
    operationId,
    method: method.toUpperCase(),
    path_shown: path,
    html: renderBlock(description),
    access: accessOf(operation),
    scopes: operation.security.flatMap(({ oauth2 }) => oauth2),
    parameters: parametersOf(operation),
    samples: samplesOf(baseUrl, method, path, operation),
    try: tryForm(baseUrl, method, path, operation),
    request,
    body_html: bodyHtml,
    ...outcomes,
    navigation: referenceNavigation(),
  });
}

export function eventPage(name: string): Content {
  const post = contract.webhooks[name]!.post as unknown as DescribedOperation & {
    requestBody: { content: { 'application/json': Body } };
  };
  const body = post.requestBody.content['application/json'];
  const headings = [{ id: 'fields', html: 'Fields' }];
  const options = { title: name, description: `${name}: ${post.summary}.`, path: eventPath(name), headings };
  return page('@event', options, {
    summary: post.summary,
    html: renderBlock(post.description ?? ''),
    examples: examplesOf(body),
    fields: fieldsOf(body.schema),
    navigation: referenceNavigation(),
  });
}

function parametersOf({ parameters = [] }: Operation) {
  return (parameters as unknown as Parameter[]).map(
    ({ name, in: location, required = false, description, schema = {} }) => ({
      ...describe(schema),
      name,
      place: location,
      is_required: required,
      html: renderBlock(description ?? String(schema.description ?? '')),
    }),
  );
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

function requestOf({ requestBody }: Operation) {
  if (!requestBody) return { request: [], body_html: '' };
  const { content, description = '' } = resolve(requestBody) as { content: Record<string, Body>; description?: string };
  return { request: contentsOf(content), body_html: renderBlock(description) };
}

function contentsOf(content: Record<string, Body>) {
  return Object.entries(content).map(([mediaType, body]) => ({
    media_type: mediaType,
    fields: fieldsOf(body.schema),
    examples: examplesOf(body),
  }));
}

interface OperationResponse {
  description: string;
  content?: Record<string, Body>;
}

function responsesOf({ responses }: Operation) {
  const all = Object.entries(responses).map(([status, response]) => ({
    status,
    ...(resolve(response) as unknown as OperationResponse),
  }));
  const successes = all.filter(({ status }) => /^[23]/.test(status));
  const refusals = all.filter(({ status }) => /^[45]/.test(status));
  return {
    successes: successes.map(({ status, description, content = {} }) => ({
      status,
      html: renderBlock(description),
      contents: contentsOf(content),
    })),
    refusals: refusals.map(({ status, description, content }) => ({
      status,
      html: renderBlock(description),
      codes: codesOf(content?.['application/json']),
    })),
  };
}

function codesOf(body: Body | undefined): string[] {
  const values = Object.values(body?.examples ?? {}).map((example) => resolve(example).value as { error?: string });
  return [...new Set(values.flatMap(({ error }) => error ?? []))];
}

const reachLabels = {
  all: 'everybody',
  team: 'their team',
  self: 'themselves',
  directory: 'the people directory',
  none: 'not at all',
};

function accessOf({ 'x-access': access }: Operation) {
  if (!access) return [];
  return (['admin', 'manager', 'employee'] as const).map((role) => ({
    role,
    reach: reachLabels[access[role]],
    may: access[role] !== 'none',
  }));
}
