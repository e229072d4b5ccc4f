import { ApiClient } from '../../client/client.ts';
import { exactText, parseExact } from '../../client/exact.ts';
import { StatusError } from '../../client/status.ts';
import { isMap, listAt, textAt, type Json } from './json.ts';

/** What a request sends beyond its method and path. */
interface Ask {
  readonly body?: string;
  readonly type?: string;
  readonly accept?: string;
  readonly signal?: AbortSignal;
}

/** An answer as the server sent it. */
export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Sentences of the Warning headers. */
  readonly warnings: readonly string[];
}

/** What the server says when it refuses a request: its Status. */
export class Refused extends Error {
  readonly code: number;
  readonly reason: string;
  /** The name of what it is about; empty where the server names nothing. */
  readonly about: string;
  readonly causes: readonly Cause[];

  constructor(code: number, status: Json) {
    super(textAt(status, 'message') || `The server answered ${code}.`);
    this.code = code;
    this.reason = textAt(status, 'reason');
    this.about = textAt(status, 'details', 'name');
    this.causes = listAt(status, 'details', 'causes').map((cause) => ({
      reason: textAt(cause, 'reason'),
      message: textAt(cause, 'message'),
      field: textAt(cause, 'field'),
    }));
  }
}

/** One of the things that are wrong with a request. */
interface Cause {
  readonly reason: string;
  readonly message: string;
  /** Path of the field, as `spec.size`; empty for the whole. */
  readonly field: string;
}

/** A view that could not be read, since the server did not answer, is read again after so long. */
export const RETRY_MS = 2_000;

/** The server could not be reached. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('The server does not answer.', { cause });
  }
}

/** Tells cross-site requests apart: a page of another site cannot send this header. */
const OWN_REQUEST = { 'x-plinth-console': '1' };

/** The API of the server that this page comes from. */
export const client = new ApiClient({ headers: () => OWN_REQUEST, exactIntegers: true });

const listeners = new Set<(error: Refused) => void>();
/** Calls `listener` whenever a request is answered 401. */
export function onSignedOut(listener: (error: Refused) => void): void {
  listeners.add(listener);
}

/** Tells the listeners that a request, or the stream, was answered 401. */
export function signedOut(error: StatusError): void {
  const refused = refusedBy(error);
  for (const listener of listeners) listener(refused);
}

/**
 * Sends a request to the server.
 *
 * @throws Refused for an answer from 400 on, Unreachable without an answer
 */
export async function send(method: string, path: string, ask: Ask = {}): Promise<Answer> {
  const answer = await sendRaw(method, path, ask);
  if (answer.status < 400) return answer;
  const refused = new Refused(answer.status, parsed(answer.text));
  if (answer.status === 401) for (const listener of listeners) listener(refused);
  throw refused;
}

/** The same; every answer is a value. @throws Unreachable */
export async function sendRaw(method: string, path: string, ask: Ask = {}): Promise<Answer> {
  const { accept, body, type, signal } = ask;
  try {
    const { status, text, headers } = await client.transport.raw(method, path, {
      ...(accept === undefined ? {} : { accept }),
      ...(body === undefined ? {} : { body, contentType: type ?? 'application/json' }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status, text, warnings: warningsOf(headers.get('warning')) };
  } catch (error) {
    if (signal?.aborted === true) throw error;
    throw new Unreachable(error);
  }
}

/** The JSON that a GET answers. @throws Refused, Unreachable */
export async function getJson(path: string, ask: Ask = {}): Promise<Json> {
  return (await getWarned(path, ask)).value;
}

/** The same with the warnings of the answer. @throws Refused, Unreachable */
export async function getWarned(
  path: string,
  ask: Ask = {},
): Promise<{ readonly value: Json; readonly warnings: readonly string[] }> {
  const { text, warnings } = await send('GET', path, ask);
  return { value: parseExact(text) as Json, warnings };
}

/** The JSON that a POST of JSON answers. @throws Refused, Unreachable */
export async function postJson(path: string, body: Json): Promise<Json> {
  return parseExact((await send('POST', path, { body: exactText(body) })).text) as Json;
}

/** The YAML that a GET answers. @throws Refused, Unreachable */
export async function getYaml(path: string, ask: Pick<Ask, 'signal'> = {}): Promise<string> {
  const { status, text } = await sendRaw('GET', path, { ...ask, accept: 'application/yaml' });
  if (status < 400) return text;
  // a refusal comes in YAML, too, which is not read here: the same in JSON
  await send('GET', path, ask);
  throw new Refused(status, { message: 'The server has refused it, and then not.' });
}

/** What went wrong, as an error that views can show. */
export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(sentenceOf(error));
}

/** What went wrong, as a sentence for people. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parsed(text: string): Json {
  try {
    const value = parseExact(text) as Json;
    return isMap(value) ? value : {};
  } catch {
    return { message: text.slice(0, 500) };
  }
}

function warningsOf(header: string | null): string[] {
  return [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replace(/\\(.)/g, '$1'),
  );
}

/** A refusal as the client tells it. */
export function refusedBy(error: StatusError): Refused {
  return new Refused(error.code, error.status as unknown as Json);
}

/** What the client's errors mean here. */
export function failureOf(error: unknown): Error {
  if (error instanceof StatusError) return refusedBy(error);
  return error instanceof TypeError ? new Unreachable(error) : new Error(sentenceOf(error));
}
