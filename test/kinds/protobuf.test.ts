import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import { REVIEW_DEFINITIONS } from '../../resources/reviews.ts';
import { Plinth, type Reply } from '../support/plinth.ts';
import { NAMESPACE_OBJECT } from './objects.ts';
import { KINDS } from './operations.ts';
import { BODIES, comparable, GATES, PROTOBUF } from './protobuf-bodies.ts';

describe('protobuf bodies of every built-in kind', () => {
  let plinth: Plinth;
  before(async () => {
    plinth = await Plinth.start({ args: ['--feature-gates', GATES] });
    const created = await plinth.send('POST', '/api/v1/namespaces', NAMESPACE_OBJECT);
    assert.equal(created.status, 201, created.text);
  });
  after(() => plinth.dispose());

  const post = (path: string, body: JsonObject | Buffer): Promise<Reply> =>
    plinth.send('POST', path, body, Buffer.isBuffer(body) ? { 'content-type': PROTOBUF } : {});

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
