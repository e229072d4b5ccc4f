import assert from 'node:assert/strict';
import type { Exchange } from '../../http/exchange.ts';
import { checkName } from './path-rules.ts';

const exchange = (verb: string, name: string): Exchange =>
  ({ info: { verb, name } }) as unknown as Exchange;

describe('names in paths', () => {
  for (const name of ['.', '..', 'a%b', '%']) {
    it(`refuses ${name} for one object, whatever the verb`, () => {
      for (const verb of ['get', 'update', 'patch', 'delete']) {
        assert.throws(() => checkName(exchange(verb, name)), /Name parameter invalid/);
      }
      checkName(exchange('create', name));
    });
  }

  it('lets other names pass, which may not exist', () => {
    for (const name of ['a', '...', 'a..b', 'A_B', 'system:node']) checkName(exchange('get', name));
  });
});
