import { systemClock } from '../api/clock.ts';
import type { JsonObject } from '../api/json.ts';
import { apiObjectOf } from '../api/object.ts';
import type { Revision } from '../api/revision.ts';
import { noneConverter } from '../registry/conversion.ts';
import type { ListResult } from '../registry/list-result.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { servedResource, type ServedResource } from '../registry/served-resource.ts';
import { Views } from '../registry/views.ts';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import { ageColumn, nameColumn } from '../resources/columns.ts';
import type { Column, ResourceDefinition } from '../resources/definition.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import { Cancellation } from '../http/cancellation.ts';
import type { ApiRequest, ApiResponse } from '../http/message.ts';
import { isPushed } from '../http/message.ts';
import { Exchange } from '../http/exchange.ts';
import { requestInfoOf } from '../http/request-info.ts';

/** Requests, resources and entries for the tests of this folder. */

const BASE = new URL('http://localhost');

interface TestRequest {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

export function testRequest({
  method = 'GET',
  target = '/',
  headers = {},
  body = '',
}: TestRequest): ApiRequest {
  const url = new URL(target, BASE);
  return {
    method,
    rawPath: url.pathname,
    query: url.searchParams,
    headers,
    rawHeaders: [],
    body: () => Promise.resolve(Buffer.from(body as string)),
    cancellation: new Cancellation(),
    peer: { address: '127.0.0.1', certificate: undefined, issuers: [] },
  };
}

export function testExchange(request: TestRequest = {}): Exchange {
  const made = testRequest(request);
  const info = requestInfoOf(made.method, made.rawPath, made.query);
  if (info === undefined) throw new Error('bad path');
  return new Exchange(made, info, 0);
}

/** A built-in resource. */
export function leases(): ServedResource {
  return served(leaseDefinition(ALL_FEATURE_GATES));
}

/** A custom resource whose objects are stored as they are given. */
export function gadgets(columns: readonly Column[] = [nameColumn, ageColumn]): ServedResource {
  const lease = leaseDefinition(ALL_FEATURE_GATES);
  const version = lease.versions[0];
  if (version === undefined) throw new Error('no version');
  return served({
    ...lease,
    group: 'example.com',
    names: {
      plural: 'gadgets',
      singular: 'gadget',
      kind: 'Gadget',
      listKind: 'GadgetList',
      shortNames: [],
      categories: [],
    },
    builtin: false,
    versions: [
      {
        ...version,
        columns,
        codec: {
          decode: (object) => ({ object: apiObjectOf(object), unknownFields: [] }),
          applyDefaults: () => undefined,
          validate: () => [],
          needsRefresh: () => false,
          refresh: () => undefined,
        },
      },
    ],
  });
}

function served(definition: ResourceDefinition): ServedResource {
  const version = definition.versions[0];
  if (version === undefined) throw new Error('no version');
  return servedResource(definition, version);
}

/** An object as a replica holds it. */
export function entryOf(
  { apiVersion, kind }: ServedResource,
  name: string,
  revision: bigint,
  rest: JsonObject = {},
): Entry {
  const { metadata, ...fields } = rest;
  const stored = encodeStored({
    apiVersion,
    kind: kind.kind,
    metadata: {
      name,
      namespace: 'ns',
      creationTimestamp: '2024-01-02T03:04:05Z',
      ...(metadata as JsonObject | undefined),
    },
    ...fields,
  });
  return Entry.fromStored(`ns/${name}`, stored, revision as Revision);
}

export function listOf(entries: readonly Entry[], more: Partial<ListResult> = {}): ListResult {
  return {
    revision: 7n as Revision,
    continueToken: '',
    remaining: undefined,
    unreadable: [],
    chunks: chunked(entries),
    ...more,
  };
}

const CHUNK = 500;

// oxlint-disable-next-line typescript/require-await -- the interface is asynchronous
async function* chunked(entries: readonly Entry[]): AsyncIterable<Entry[]> {
  for (let at = 0; at < entries.length; at += CHUNK) yield entries.slice(at, at + CHUNK);
}

/** What answers need of the registry. */
export function testParts(): RegistryParts {
  const parts: Partial<RegistryParts> = { views: new Views(noneConverter), clock: systemClock };
  return parts as RegistryParts;
}

/** The whole body of an answer that is not a stream. */
export async function bodyOf({ body }: ApiResponse): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body;
  if (isPushed(body)) throw new Error('a pushed body has no end');
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export async function jsonOf(response: ApiResponse): Promise<JsonObject> {
  return JSON.parse((await bodyOf(response)).toString()) as JsonObject;
}
