import assert from 'node:assert/strict';
import { cpuMs } from '../../bench/load/process.ts';
import { install, MERGE } from '../support/custom.ts';
import { Plinth, type Reply } from '../support/plinth.ts';

const MIB = 1024 * 1024;

describe('values of custom resources', () => {
  let plinth: Plinth;
  let path: string;
  before(async () => {
    plinth = await Plinth.start();
    const spec = {
      type: 'object',
      'x-cluster-preserve-unknown-fields': true,
      properties: {
        count: { type: 'integer', format: 'int64' },
        ratio: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
    };
    const schema = { type: 'object', properties: { spec } };
    path = await install(plinth, { plural: 'values', kind: 'Value', schema });
  });
  after(() => plinth.dispose());

  const text = (name: string, spec: string): string =>
    `{"apiVersion":"test.example.com/v1","kind":"Value","metadata":{"name":"${name}"},"spec":${spec}}`;
  const create = (name: string, spec: string): Promise<Reply> =>
    plinth.send('POST', path, text(name, spec));
  /** The spec as it is written in an answer. */
  const written = ({ text: answer }: Reply): string =>
    /"spec":(\{[^}]*\})/.exec(answer)?.[1] ?? answer;

  it('64-bit integers stay exact in every request and response', async () => {
    const spec = '{"count":9223372036854775807,"free":-9223372036854775808,"odd":9007199254740993}';
    assert.equal(written(await create('exact', spec)), spec);
    assert.equal(written(await plinth.get(`${path}/exact`)), spec);
    const headers = { 'content-type': MERGE };
    const labelled = await plinth.send(
      'PATCH',
      `${path}/exact`,
      '{"metadata":{"labels":{"a":"b"}}}',
      headers,
    );
    assert.equal(written(labelled), spec);
    const less = '{"spec":{"count":9223372036854775806}}';
    const patched = await plinth.send('PATCH', `${path}/exact`, less, headers);
    assert.match(written(patched), /"count":9223372036854775806,/);
    const table = await plinth.get(`${path}?includeObject=Object`, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
    });
    assert.match(table.text, /"odd":9007199254740993/);
    const yaml = await plinth.get(`${path}/exact`, { accept: 'application/yaml' });
    assert.match(yaml.text, /count: 9223372036854775806/);
    const sent =
      'apiVersion: test.example.com/v1\nkind: Value\nmetadata: {name: why}\nspec: {count: 9007199254740993}\n';
    const made = await plinth.send('POST', path, sent, { 'content-type': 'application/yaml' });
    assert.equal(written(made), '{"count":9007199254740993}');
  });

  it('numbers are what they are, however they are written', async () => {
    const same: [string, string][] = [
      ['{"count":1.0}', '{"count":1}'],
      ['{"count":1e3}', '{"count":1000}'],
      ['{"ratio":1}', '{"ratio":1}'],
      ['{"ratio":0.1}', '{"ratio":0.1}'],
      ['{"ratio":1.5e-7}', '{"ratio":1.5e-7}'],
      ['{"ratio":-0.0}', '{"ratio":0}'],
    ];
    for (const [i, [given, shown]] of same.entries()) {
      const reply = await create(`n${i}`, given);
      assert.equal(reply.status, 201, reply.text);
      assert.equal(
        JSON.stringify(JSON.parse(written(reply))),
        JSON.stringify(JSON.parse(shown)),
        given,
      );
    }
    for (const given of ['{"count":1.5}', '{"count":"1"}', '{"ratio":"0.5"}', '{"count":true}']) {
      const { status, json } = await create('bad', given);
      assert.equal(status, 422, given);
      assert.match(json.details.causes[0].field, /^spec\.(?:count|ratio)$/);
    }
    for (const given of ['{"count":01}', '{"ratio":1e999}', '{"ratio":NaN}', '{"ratio":+1}']) {
      assert.equal((await create('bad', given)).status, 400, given);
    }
    // beyond 64 bits it is a float, not an integer
    assert.equal((await create('bad', '{"count":9223372036854775808}')).status, 422);
  });

  it('bodies that are too deep or too large are refused in bounded time, and the server goes on', async () => {
    const deep = (depth: number): string => `{"d":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const start = cpuMs(plinth.pid);
    const tooDeep = await create('deep', deep(100_000));
    assert.equal(tooDeep.status, 400);
    assert.match(tooDeep.json.message, /depth/);
    const large = await create('large', `{"s":"${'x'.repeat(3 * MIB)}"}`);
    assert.equal(large.status, 413);
    assert.equal(large.json.reason, 'RequestEntityTooLarge');
    const stored = await create('stored', `{"s":"${'x'.repeat(2 * MIB)}"}`);
    assert.ok([201, 413].includes(stored.status), stored.text.slice(0, 200));
    const wide = await create(
      'wide',
      `{${Array.from({ length: 120_000 }, (_, i) => `"k${i}":1`).join()}}`,
    );
    assert.equal(wide.status, 400);
    const many = await create(
      'many',
      `{"tags":[${Array.from({ length: 50_000 }, () => '"t"').join()}]}`,
    );
    assert.equal(many.status, 422);
    assert.deepEqual(
      many.json.details.causes.map(({ field, reason }: any) => [field, reason]),
      [['spec.tags', 'FieldValueTooMany']],
    );
    assert.ok(cpuMs(plinth.pid) - start < 10_000);
    assert.equal((await create('after', '{}')).status, 201);
    assert.equal((await create('fits', deep(100))).status, 201);
  });

  it('prototype pollution: keys such as __proto__ are ordinary keys', async () => {
    const spec =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"x"}';
    const reply = await create('keys', spec);
    assert.equal(reply.status, 201, reply.text);
    const read = await plinth.get(`${path}/keys`);
    assert.match(read.text, /"__proto__":\{"polluted":1\}/);
    assert.match(read.text, /"toString":"x"/);
    const patch = '{"spec":{"__proto__":{"polluted":2},"constructor":null}}';
    const patched = await plinth.send('PATCH', `${path}/keys`, patch, { 'content-type': MERGE });
    assert.match(patched.text, /"__proto__":\{"polluted":2\}/);
    assert.doesNotMatch(patched.text, /"constructor"/);
    for (const at of ['__proto__', 'constructor/prototype', '__proto__/__proto__']) {
      const add = JSON.stringify([{ op: 'add', path: `/spec/${at}/polluted`, value: 3 }]);
      const type = 'application/json-patch+json';
      await plinth.send('PATCH', `${path}/keys`, add, { 'content-type': type });
    }
    const clean = await create('clean', '{}');
    assert.equal(written(clean), '{}');
    const strict = await plinth.send('POST', `${path}?fieldValidation=Strict`, text('s', '{}'));
    assert.equal(strict.status, 201, 'objects have only fields that were sent');
  });
});
