/** Turns an error response into a one-line message, in the service's words. */
import { readCredentials } from '../account/credentials.ts';
import type { CliContext } from '../terminal/context.ts';
import { CliError } from '../terminal/failure.ts';

interface ApiError {
  error: string;
  message: string;
  details?: Record<string, unknown>;
}

/** Appends the errors of single fields, and for a missing scope the command that requests it. */
export async function toCliError(context: CliContext, baseUrl: string, response: Response): Promise<CliError> {
  const body = apiError(await response.text());
  if (!body) return new CliError(`${baseUrl} returned ${response.status}: check the URL of the service`);
  const { error, message, details = {} } = body;
  const errors = Object.entries(details).flatMap(([field, list]) =>
    Array.isArray(list) && typeof list[0] === 'object'
      ? [`${field}: ${list.map(({ message }: { message: string }) => message).join(' ')}`]
      : [],
  );
  const required = details.required_scopes as string[] | undefined;
  if (required) errors.push(await scopeAdvice(context, baseUrl, required));
  return new CliError(`${message} (${[error, ...errors].join('; ')})`);
}

/** @returns undefined when the response comes from a proxy or another service */
export function apiError(text: string): ApiError | undefined {
  try {
    const body = JSON.parse(text) as Partial<ApiError> | null;
    return body?.error && body.message ? (body as ApiError) : undefined;
  } catch {
    return undefined;
  }
}

async function scopeAdvice(context: CliContext, baseUrl: string, required: readonly string[]): Promise<string> {
  const granted = (await readCredentials(context.environment))[baseUrl]?.scope.split(' ') ?? [];
  const scope = [...new Set([...granted, ...required])].filter(Boolean).join(' ');
  return `needs ${required.join(', ')}: sign in again with \`${context.program} login --scope "${scope}"\``;
}
