import assert from 'node:assert/strict';
import { connectionProblem } from './connection-problem.ts';

const failure = (message: string, fields: object): Error =>
  Object.assign(new Error(message), fields);

describe('problems of connections', () => {
  const cases: [Error, string][] = [
    [failure('getaddrinfo ENOTFOUND a.example', { code: 'ENOTFOUND' }), 'no such host'],
    [
      failure('connect ECONNREFUSED 127.0.0.1:1', {
        code: 'ECONNREFUSED',
        address: '127.0.0.1',
        port: 1,
      }),
      'connection refused by 127.0.0.1 port 1',
    ],
    // of several addresses that were tried
    [failure('', { code: 'ECONNREFUSED' }), 'connection refused'],
    [
      failure('socket hang up', { code: 'ECONNRESET' }),
      'the connection was closed before there was an answer',
    ],
    [failure('Parse Error: x', { code: 'HPE_INVALID_CONSTANT' }), 'the answer is not valid HTTP'],
    [failure('something else', {}), 'something else'],
  ];
  for (const [error, words] of cases) {
    it(`are told in plain words: ${error.message}`, () => {
      assert.equal(connectionProblem(error), words);
    });
  }
});
