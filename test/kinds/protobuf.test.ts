import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { REVIEW_DEFINITIONS } from '../../resources/reviews.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { NAMESPACE_OBJECT } from './objects.ts';
import { KINDS } from './operations.ts';

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const PROTOBUF = { 'content-type': 'application/vnd.kubernetes.protobuf' };

interface Sent {
  readonly path: string;
  readonly object: JsonObject;
  /** The object as clients of Kubernetes send it, in base64; written by the definitions of Kubernetes' own API. */
  readonly protobuf: string;
}

const BODIES = JSON.parse(
  readFileSync(new URL('protobuf-bodies.json', import.meta.url), 'utf8'),
) as Sent[];

/** What differs between two requests in any case. */
const OWN: ReadonlySet<string> = new Set([
  'uid',
  'creationTimestamp',
  'time',
  'lastTransitionTime',
  'resourceVersion',
]);

function comparable(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !OWN.has(key))
      .map(([key, item]) => [key, comparable(item)]),
  );
}

describe('protobuf bodies of every built-in kind', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    const created = await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
    assert.equal(created.status, 201, created.text);
  });
  after(() => plinth.dispose());

  const post = (path: string, body: JsonObject | Buffer): Promise<Reply> =>
    plinth.send('POST', path, body, Buffer.isBuffer(body) ? PROTOBUF : {});

  it('are recorded for all of them', () => {
    const reviews = REVIEW_DEFINITIONS.map(({ names }) => names.kind);
    const stored = KINDS.filter(({ definition }) => definition.computed !== true);
    assert.deepEqual(
      [...stored.map(({ kind }) => kind.kind), ...reviews].sort(),
      [...new Set(BODIES.map(({ object }) => object['kind'] as string))].sort(),
    );
  });

  for (const { path, object, protobuf } of BODIES) {
    it(`are answered as JSON is: ${object['kind'] as string} ${object['apiVersion'] as string}`, async () => {
      const dryRun = `${path}?dryRun=All&fieldValidation=Strict&fieldManager=test`;
      const json = await post(dryRun, object);
      assert.equal(json.status, 201, json.text);
      const answer = await post(dryRun, Buffer.from(protobuf, 'base64'));
      assert.equal(answer.status, 201, answer.text);
      assert.deepEqual(comparable(answer.json), comparable(json.json));
    });
  }

  it('of other kinds are 415 with what is accepted', async () => {
    const body = Buffer.from(
      Buffer.from(BODIES[0]!.protobuf, 'base64')
        .toString('latin1')
        .replace(BODIES[0]!.object['kind'] as string, 'X'.repeat(10)),
      'latin1',
    );
    const { status, text } = await post(BODIES[0]!.path, body);
    assert.equal(status, 415, text);
    assert.match(text, /application\/json/);
  });
});
