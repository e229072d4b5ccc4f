import assert from 'node:assert/strict';
import { turnsUntil } from '../test/support/turns-until.ts';
import { ApiError } from '../api/api-error.ts';
import type { Body } from '../registry/body.ts';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { decodeBody, decodeOptionalBody } from './decode-body.ts';
import { gadgets, testRequest } from './testing.ts';

const LIMIT = 3 * 1024 * 1024;
const READING = { maxBytes: LIMIT, aliases: true };

function decode(body: string | Buffer, contentType?: string): Promise<Body> {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  return decodeBody(testRequest({ method: 'POST', headers, body }), gadgets(), READING);
}

async function refusal(body: string | Buffer, contentType?: string): Promise<ApiError> {
  try {
    await decode(body, contentType);
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
  throw new assert.AssertionError({ message: 'was accepted' });
}

describe('decodeBody', () => {
  it('reads JSON, which is what a body without a type is', async () => {
    const types = [
      undefined,
      '',
      'application/json',
      'application/json; charset=utf-8',
      'Application/JSON',
      'application/json;',
    ];
    for (const type of types) {
      assert.deepEqual(await decode('{"a":9007199254740993,"b":1,"b":2}', type), {
        value: { a: 9007199254740993n, b: 2 },
        duplicates: ['duplicate field "b"'],
      });
    }
  });

  it('reads long bodies one by one, in turns of the event loop of their own', async () => {
    const long = JSON.stringify({ a: 'x'.repeat(300_000) });
    const read = (text: string): Promise<unknown> => Promise.all([1, 2, 3].map(() => decode(text)));
    const [, turns] = await turnsUntil(read(long));
    assert.ok(turns >= 3, `${turns} turns`);
    const [, none] = await turnsUntil(read('{}'));
    assert.equal(none, 0);
  });

  it('reads YAML', async () => {
    const text = 'a: yes\nb:\n  c: 9007199254740993\n  d: 1\n  d: 2\n';
    assert.deepEqual(await decode(text, 'application/yaml; charset=utf-8'), {
      value: { a: true, b: { c: 9007199254740993n, d: 2 } },
      duplicates: ['line 5: key "d" already set in map'],
    });
    assert.deepEqual(await decode('', 'application/yaml'), { value: null, duplicates: [] });
    assert.deepEqual((await decode('{"a":[1]}', 'application/yaml')).value, { a: [1] });
    const { code, message } = await refusal('metadata: [\n', 'application/yaml');
    assert.equal(code, 400);
    assert.match(
      message,
      /^the object provided is unrecognized \(must be of type Gadget\): yaml: line 1: .*\(metadata: \[\\n\)$/,
    );
  });

  it('reads protobuf, of the kinds that clients send so', async () => {
    const type = 'application/vnd.kubernetes.protobuf';
    const body = Buffer.from('k8s\0\x0a\x0f\x0a\x02v1\x12\x09Namespace\x12\x05\x0a\x03\x0a\x01a');
    assert.deepEqual(await decode(body, type), {
      value: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a' } },
      duplicates: [],
      isNeutral: true,
    });
    assert.match((await refusal('{}', type)).message, /proto: provided data does not appear/);
    assert.equal((await refusal(body.subarray(0, -1), type)).code, 400);
    const other = Buffer.from(body.toString().replace('Namespace', 'Whatevers'));
    const { code, message } = await refusal(other, type);
    assert.equal(code, 415);
    assert.doesNotMatch(message, /protobuf/);
  });

  it('refuses other media types with the list', async () => {
    const types = [
      'text/plain',
      'application/xml',
      'application/merge-patch+json',
      'json',
      'application/json; charset',
      'a/b/c',
      ';',
    ];
    for (const type of types) {
      const error = await refusal('{}', type);
      assert.equal(error.code, 415, type);
      assert.equal(error.reason, 'UnsupportedMediaType');
      assert.match(error.message, /accepted media types include: application\/json/);
    }
  });

  it('explains syntax errors', async () => {
    for (const body of ['', '  \n ', '{"a":', '{"a":1,}', "{'a':1}", '{} tail', '\ufeff{}']) {
      const error = await refusal(body);
      assert.equal(error.code, 400, body);
      assert.equal(error.status.details, undefined);
      assert.match(
        error.message,
        /^the object provided is unrecognized \(must be of type Gadget\): /,
      );
    }
    assert.match((await refusal('hello')).message, /\(hello\)$/);
    const wrong = (await refusal('{\n  "a": 1,\n}')).message;
    assert.match(wrong, /invalid character '}' looking for .* key string at line 3, column 1 /);
    assert.match((await refusal('')).message, /\(<empty>\)$/);
    const long = `{"apiVersion":"example.com/v1","kind":"Gadget"`;
    assert.match((await refusal(long)).message, /\(\{"apiVersion":"example\.com\/v1" \.\.\.\)$/);
  });

  it('refuses bytes that are not UTF-8', async () => {
    const error = await refusal(Buffer.from([0x22, 0xff, 0x22]));
    assert.equal(error.code, 400);
  });

  it('costs little on deep nesting', async () => {
    const started = cpuMs();
    const error = await refusal('['.repeat(LIMIT));
    assert.equal(error.code, 400);
    assert.ok(cpuMs() - started < scaled(200));
  });

  it('reports a body that is too large', async () => {
    const request = {
      ...testRequest({ method: 'POST' }),
      body: () => Promise.reject(new Error('413')),
    };
    await assert.rejects(decodeBody(request, gadgets(), READING), /413/);
  });
});

describe('decodeOptionalBody', () => {
  it('distinguishes an absent body from an empty one', async () => {
    const read = (body: string) =>
      decodeOptionalBody(testRequest({ method: 'DELETE', body }), LIMIT);
    assert.equal(await read(''), undefined);
    assert.deepEqual(await read('{"dryRun":["All"]}'), { dryRun: ['All'] });
    await assert.rejects(read('{'), ApiError);
  });

  it('does not ask an empty body for its type', async () => {
    const headers = { 'content-type': 'text/plain' };
    assert.equal(
      await decodeOptionalBody(testRequest({ method: 'DELETE', headers }), LIMIT),
      undefined,
    );
  });
});
