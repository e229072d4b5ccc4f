import assert from 'node:assert/strict';
import type { Credentials } from './authenticator.ts';
import { KeptCredentials } from './kept-credentials.ts';

const NO_MORE = { names: [], prefixes: [] };
const peer = { address: '10.0.0.1', certificate: undefined, issuers: [] };
const request = (rawHeaders: string[]): Credentials => {
  const headers: Record<string, string> = {};
  for (let i = 0; i < rawHeaders.length; i += 2) {
    headers[rawHeaders[i]!.toLowerCase()] = rawHeaders[i + 1]!;
  }
  return { headers, rawHeaders, peer };
};
const keyOf = (...rawHeaders: string[]): string =>
  new KeptCredentials(request(rawHeaders), NO_MORE).key;

describe('retained credentials', () => {
  it('hold the parts of a request that identify its user, and nothing else', () => {
    const token = ['Authorization', 'Bearer secret'];
    const proxy = ['X-Remote-User', 'ann', 'X-Who', 'eve'];
    const more = { names: ['x-who'], prefixes: [] };
    const kept = new KeptCredentials(request([...token, 'Cookie', 'a=b', ...proxy]), more);
    assert.deepEqual(kept.request.rawHeaders, [...token, ...proxy]);
    assert.deepEqual(kept.request.headers, {
      authorization: 'Bearer secret',
      upgrade: undefined,
      'sec-websocket-protocol': undefined,
    });
    assert.equal(kept.request.peer, peer);
  });

  it('can be read again by authenticators that remove headers', () => {
    const kept = new KeptCredentials(request(['Sec-WebSocket-Protocol', 'token, a']), NO_MORE);
    kept.request.headers['sec-websocket-protocol'] = 'a';
    assert.equal(kept.request.headers['sec-websocket-protocol'], 'token, a');
  });

  it('have a key that depends on the credentials alone and does not reveal them', () => {
    const key = keyOf('Authorization', 'Bearer secret');
    assert.equal(keyOf('Authorization', 'Bearer secret', 'Accept', '*/*'), key);
    assert.notEqual(keyOf('Authorization', 'Bearer other'), key);
    assert.notEqual(keyOf('Authorization', 'Bearer secret', 'X-Remote-User', 'ann'), key);
    assert.notEqual(keyOf('Sec-WebSocket-Protocol', 'Bearer secret'), key);
    assert.doesNotMatch(key, /secret/);
  });
});
