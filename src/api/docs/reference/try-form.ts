/** The form that sends a request from an operation's page; `assets/request.js` runs it. */
import { type Operation, resolve, type Schema } from '../../../contract/contract.ts';
import { referenceClientId, referenceRedirectPath } from '../../../identity/clients/reference-client.ts';
import { exampleOf, type Parameter } from './examples.ts';
import { contentOf } from './samples.ts';

interface Input {
  id: string;
  name: string;
  place: string;
  isRequired: boolean;
  /** Empty for any text. */
  choices: string[];
  value: string;
  placeholder: string;
}

/** Everything that the template `@try-form` shows. */
export function tryForm(baseUrl: string, method: string, path: string, operation: Operation) {
  const inputs = inputsOf(operation);
  const examples = Object.values(contentOf(operation)['application/json']?.examples ?? {}).map((example) => {
    const { summary = 'Example', value } = resolve(example);
    return { summary, text: JSON.stringify(value, null, 2) };
  });
  const lines = examples[0]?.text.split('\n').length ?? 0;
  return {
    client_id: referenceClientId,
    redirect_uri: baseUrl + referenceRedirectPath,
    base_url: baseUrl,
    method: method.toUpperCase(),
    path,
    scopes: operation.security.flatMap(({ oauth2 }) => oauth2).join(' '),
    needs_token: operation.security.length > 0,
    needs_company: parametersOf(operation).some(({ name }) => name === 'X-Company-Id'),
    required: inputs.filter(({ isRequired }) => isRequired),
    optional: inputs.filter(({ isRequired }) => !isRequired),
    examples,
    rows: Math.min(Math.max(lines, 4), 18),
  };
}

function parametersOf(operation: Operation): Parameter[] {
  return (operation.parameters ?? []) as Parameter[];
}

/** Without the company, which has a field of its own, and objects, which take a query of their own. */
function inputsOf(operation: Operation): Input[] {
  const simple = parametersOf(operation).filter(
    ({ name, schema }) => name !== 'X-Company-Id' && (schema ? resolve(schema).type : undefined) !== 'object',
  );
  return simple.map((parameter) => {
    const { name, in: location, required: isRequired = false, schema = {} } = parameter;
    const example = exampleOf(parameter);
    const known = example === `{${name}}` ? '' : example;
    return {
      id: `try-${name.toLowerCase().replace(/\W+/g, '-')}`,
      name,
      place: location,
      isRequired,
      choices: choicesOf(resolve(schema)),
      // The example's id in the path doesn't exist in the caller's company.
      value: isRequired && location !== 'path' ? known : '',
      placeholder: known,
    };
  });
}

function choicesOf({ type, enum: values }: Schema): string[] {
  if (type === 'boolean') return ['true', 'false'];
  return (values as unknown[] | undefined)?.map(String) ?? [];
}
