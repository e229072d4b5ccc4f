import assert from 'node:assert/strict';
import fc from 'fast-check';
import { revisionOf } from '../api/revision.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';

const PREFIX = 'coordination.cluster.io/leases/';

function tokenOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function refusal(token: string): string {
  const decoded = decodeContinueToken(PREFIX, token);
  assert.equal(decoded.ok, false, `token ${token} was taken`);
  return (decoded as { message: string }).message;
}

describe('continue token', () => {
  it('has the form that clients of kube-apiserver know', () => {
    const token = encodeContinueToken(PREFIX, {
      after: `${PREFIX}default/a`,
      revision: revisionOf(42n),
    });
    assert.equal(
      Buffer.from(token, 'base64url').toString(),
      '{"v":"meta.k8s.io/v1","rv":42,"start":"default/a\\u0000"}',
    );
    assert.match(token, /^[A-Za-z0-9_-]+$/);
  });

  it('comes back as it was made, up to the last revision of 64 bits', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => {
      return !text.includes('/') && !text.includes('\0') && text !== '.' && text !== '..';
    });
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.option(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { nil: undefined }),
        (parts, rv) => {
          const after = PREFIX + parts.join('/');
          const revision = rv === undefined ? undefined : revisionOf(rv);
          const token = encodeContinueToken(PREFIX, { after, revision });
          assert.deepEqual(decodeContinueToken(PREFIX, token), { ok: true, after, revision });
        },
      ),
    );
  });

  it('goes on at the current revision with rv -1', () => {
    const token = tokenOf('{"v":"meta.k8s.io/v1","rv":-1,"start":"a\\u0000"}');
    assert.deepEqual(decodeContinueToken(PREFIX, token), {
      ok: true,
      after: `${PREFIX}a`,
      revision: undefined,
    });
  });

  it('never leaves its prefix', () => {
    for (const path of [
      '../secrets/a',
      'a/../../b',
      './a',
      'a//b',
      '//a',
      '/../a',
      '/',
      'a/',
      '..',
      'a\u0000b',
    ]) {
      const start = JSON.stringify(`${path}\u0000`);
      const message = refusal(tokenOf(`{"v":"meta.k8s.io/v1","rv":1,"start":${start}}`));
      assert.ok(message.startsWith('continue key is not valid: '), message);
    }
  });

  it('reads a key with a slash before it as one without', () => {
    const token = tokenOf('{"v":"meta.k8s.io/v1","rv":1,"start":"/a\\u0000"}');
    const decoded = decodeContinueToken('/registry/things/', token);
    assert.ok(decoded.ok);
    assert.equal(decoded.after, '/registry/things/a');
  });

  it('explains why a token is invalid', () => {
    assert.equal(refusal('x'), 'continue key is not valid: illegal base64 data at input byte 0');
    assert.equal(refusal('ab=='), 'continue key is not valid: illegal base64 data at input byte 2');
    assert.equal(
      refusal('nonsense'),
      "continue key is not valid: invalid character '\\u009e' looking for beginning of value",
    );
    assert.equal(
      refusal('abc'),
      "continue key is not valid: invalid character 'i' looking for beginning of value",
    );
    assert.equal(refusal(''), 'continue key is not valid: unexpected end of JSON input');
    assert.equal(
      refusal(tokenOf('{"v":"v2","rv":1,"start":"a"}')),
      'continue key is not valid: server does not recognize this encoded version "v2"',
    );
    assert.equal(
      refusal(tokenOf('{"v":"meta.k8s.io/v1","rv":0,"start":"a"}')),
      'continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
    assert.equal(
      refusal(tokenOf('{"v":"meta.k8s.io/v1","rv":1,"start":""}')),
      'continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
    assert.match(
      refusal(tokenOf('{"v":"meta.k8s.io/v1","rv":1.5,"start":"a"}')),
      /resourceVersion/,
    );
    assert.match(refusal('a'.repeat(100_000)), /too long/);
  });

  it('answers any text with a position under the prefix or a message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, encoded) => {
        const decoded = decodeContinueToken(PREFIX, encoded ? tokenOf(text) : text);
        if (decoded.ok) assert.ok(decoded.after.startsWith(PREFIX));
        else assert.ok(decoded.message.startsWith('continue key is not valid: '));
      }),
    );
  });
});
