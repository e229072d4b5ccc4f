import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import { eventually, Plinth, type Reply } from '../support/plinth.ts';
import { head, RawClient } from '../support/raw-client.ts';
import { collectionOf, itemOf, NAMESPACE, NAMESPACE_OBJECT, objectOf } from './objects.ts';
import { KINDS, operationsOf, type Operation } from './operations.ts';

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** What a name that the server chooses for ComponentStatus would be. */
const COMPONENT = 'store-0';

describe('every operation of every kind', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    const created = await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
    assert.equal(created.status, 201, created.text);
  });
  after(() => plinth.dispose());

  for (const resource of KINDS) {
    const { kind, definition } = resource;
    const operations = operationsOf(resource);

    describe(kind.kind, () => {
      const isComputed = definition.computed === true;
      const sample = isComputed ? undefined : objectOf(resource);
      const name = (sample?.['metadata'] as { name: string } | undefined)?.name ?? COMPONENT;
      const pathOf = ({ path }: Operation): string =>
        path.replace('{namespace}', NAMESPACE).replace('{name}', encodeURIComponent(name));

      before(async () => {
        if (sample === undefined) return;
        const created = await plinth.send('POST', collectionOf(resource), sample);
        assert.equal(created.status, 201, created.text);
      });

      for (const operation of operations) {
        it(`${operation.method} ${operation.path} refuses what is wrong`, async () => {
          for (const [what, send] of wrongCalls(resource, operation, pathOf(operation), name)) {
            const { status, json, text } = await send(plinth);
            assert.ok(status >= 400 && status < 500, `${what}: ${status} ${text}`);
            assert.equal(json?.kind, 'Status', `${what}: ${text}`);
            assert.equal(json.status, 'Failure');
            assert.equal(json.code, status);
            assert.notEqual(json.message ?? '', '');
          }
        });

        it(`${operation.method} ${operation.path} asks who is calling`, async () => {
          const client = await RawClient.open(plinth.url);
          client.send(head(operation.method, pathOf(operation), { connection: 'close' }, 0));
          await eventually(() => client.ended !== undefined, 'an answer');
          client.close();
          assert.equal(client.status, 401, client.received);
          assert.match(client.received, /"kind":"Status"/);
        });
      }

      it('works with valid input', async () => {
        if (sample !== undefined) {
          await plinth.send('DELETE', itemOf(resource, name));
          await gone(plinth, resource, name);
        }
        const caller = new Caller(plinth, resource, name, sample);
        for (const operation of inOrder(operations)) {
          const { status, json, text } = await caller.call(operation, pathOf(operation));
          const what = `${operation.method} ${operation.path}: ${status} ${text}`;
          const wanted = operation.answers[String(status)];
          assert.ok(wanted !== undefined && wanted !== '', what);
          assert.equal(json.kind, wanted, what);
        }
      });
    });
  }
});

/** Create, what reads, what changes, what deletes. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const ORDER = ['POST', 'GET', 'PUT', 'PATCH', 'DELETE'];
  const rank = ({ method, name }: Operation): number =>
    ORDER.indexOf(method) * 2 + (name === 'deletecollection' ? 1 : 0);
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

class Caller {
  readonly #plinth: Plinth;
  readonly #resource: ServedResource;
  readonly #name: string;
  readonly #sample: JsonObject | undefined;

  constructor(
    plinth: Plinth,
    resource: ServedResource,
    name: string,
    sample: JsonObject | undefined,
  ) {
    this.#plinth = plinth;
    this.#resource = resource;
    this.#name = name;
    this.#sample = sample;
  }

  /** The operation on the sample; the collection is deleted by the name alone. */
  async call({ method, name }: Pick<Operation, 'method' | 'name'>, path: string): Promise<Reply> {
    switch (method) {
      case 'POST':
        // a token is asked for in a kind of its own
        return this.#plinth.send('POST', path, path.endsWith('/token') ? {} : this.#sample);
      case 'PUT': {
        // a loop of the server may be quicker than this, as with any client
        const reply = await this.#plinth.send('PUT', path, await this.#current());
        return reply.status === 409 ? this.call({ method, name }, path) : reply;
      }
      case 'PATCH':
        return this.#plinth.send('PATCH', path, { metadata: { labels: { called: 'yes' } } }, MERGE);
      case 'DELETE':
        return this.#plinth.send(
          'DELETE',
          name === 'deletecollection'
            ? `${path}?fieldSelector=metadata.name%3D${this.#name}`
            : path,
        );
      default:
        return this.#plinth.get(path);
    }
  }

  async #current(): Promise<unknown> {
    return (await this.#plinth.get(itemOf(this.#resource, this.#name))).json;
  }
}

/** Objects with finalizers go when the finalizers are removed. */
async function gone(plinth: Plinth, resource: ServedResource, name: string): Promise<void> {
  const path = itemOf(resource, name);
  await eventually(async () => {
    const { status, json } = await plinth.get(path);
    if (status === 404) return true;
    const own = (json.metadata.finalizers ?? []).filter((text: string) =>
      text.startsWith('example.'),
    );
    if (own.length > 0) await plinth.send('PATCH', path, { metadata: { finalizers: null } }, MERGE);
    return false;
  }, `${path} is gone`);
}

type WrongCall = readonly [what: string, send: (plinth: Plinth) => Promise<Reply>];

/** Input that an operation must refuse, by what is wrong with it. */
function wrongCalls(
  resource: ServedResource,
  { method, parameters, name: operation }: Operation,
  path: string,
  name: string,
): WrongCall[] {
  const accepts = (parameter: string): boolean => parameters.some((p) => p.name === parameter);
  const onItem = path.includes(`/${encodeURIComponent(name)}`) && operation !== 'list';
  const { apiVersion, kind } = resource;
  const send = (
    what: string,
    query: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): WrongCall => [
    `${operation} with ${what}`,
    (plinth) => plinth.send(method, path + query, body, headers),
  ];
  const body = { apiVersion, kind: kind.kind, metadata: { name } };
  switch (method) {
    case 'GET':
      return onItem
        ? [
            [
              `${operation} of what is not there`,
              (plinth) => plinth.get(path.replace(encodeURIComponent(name), 'not-there')),
            ],
            send('a form that does not exist', '', undefined, { accept: 'text/csv' }),
          ]
        : [
            send('a broken label selector', '?labelSelector=%3D%3D%3D'),
            send('a broken field selector', '?fieldSelector=a'),
            send('an unknown field', '?fieldSelector=spec.unknown%3Da'),
            send('a limit that is not a number', '?limit=many'),
            send('a match without a version', '?resourceVersionMatch=Exact'),
            send('a form that does not exist', '', undefined, { accept: 'text/csv' }),
          ];
    case 'POST':
    case 'PUT':
      return [
        send('no body', '', ''),
        send('a body that is not an object', '', '[]'),
        send('a body that is not JSON', '', '{'),
        send('another kind', '', { ...body, kind: 'Other' }),
        send('another version', '', { ...body, apiVersion: 'v0' }),
        send('a name of another type', '', { ...body, metadata: { name: 5 } }),
        send('another media type', '', 'a', { 'content-type': 'text/csv' }),
        send('an unknown field, strictly', '?fieldValidation=Strict', { ...body, unknown: 1 }),
        send('an unknown field validation', '?fieldValidation=Maybe', body),
        send('an unknown dry run', '?dryRun=Some', body),
        ...(method === 'PUT'
          ? [send('another name', '', { ...body, metadata: { name: 'another' } })]
          : [send('no name', '', { ...body, metadata: {} })]),
      ];
    case 'PATCH':
      return [
        send('a media type that is not a patch', '', {}, { 'content-type': 'application/json' }),
        send('a body that is not JSON', '', '{', MERGE),
        send('a JSON patch that is none', '', '{}', {
          'content-type': 'application/json-patch+json',
        }),
        send('an apply without a manager', '', body, {
          'content-type': 'application/apply-patch+yaml',
        }),
        send('force where nothing is applied', '?force=true', {}, MERGE),
        send('an unknown dry run', '?dryRun=Some', {}, MERGE),
        [
          `${operation} of what is not there`,
          (plinth) =>
            plinth.send('PATCH', path.replace(encodeURIComponent(name), 'not-there'), {}, MERGE),
        ],
      ];
    default:
      return [
        send('an unknown dry run', '?dryRun=Some'),
        send('an unknown propagation', '?propagationPolicy=Sideways'),
        send('options that are not JSON', '', '{'),
        send('options of another kind', '', { apiVersion: 'v1', kind: 'Other' }),
        ...(accepts('labelSelector') ? [send('a broken selector', '?labelSelector=%3D%3D')] : []),
      ];
  }
}
