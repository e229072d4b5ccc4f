import assert from 'node:assert/strict';
import { uriWithoutSecrets } from './secrets.ts';

/** Milliseconds of CPU that a call takes. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('credentials in the parameters of a URI', () => {
  const within = (value: string): string => `/api?resources=${encodeURIComponent(value)}`;
  const inside: [string, boolean][] = [
    ['pods?token=a', true],
    ['pods?a=b&access_token=a', true],
    ['pods?a?b?my-token?c=a', true],
    ['pods?a=b?token=c', true],
    ['a&token=c', true],
    ['token=a', false],
    ['a=token=b', false],
    ['pods?token', false],
    ['pods?token&a=b', false],
    ['token?a=b', false],
    ['a=b&c=d?e=f', false],
  ];
  for (const [value, isSecret] of inside) {
    it(`are ${isSecret ? '' : 'not '}found inside the value ${value}`, () => {
      const shown = uriWithoutSecrets(within(value));
      assert.equal(shown, isSecret ? '/api?resources=REDACTED' : within(value));
    });
  }

  it('are found next to what cannot be decoded', () => {
    assert.equal(uriWithoutSecrets('/api?a=%ff&%74oken=x'), '/api?a=%ff&%74oken=REDACTED');
    assert.equal(uriWithoutSecrets('/api?%74oken=%ff'), '/api?%74oken=REDACTED');
    assert.equal(uriWithoutSecrets('/api?a=%ff'), '/api?a=%ff');
  });

  it('are looked for in time that grows with the length alone', () => {
    for (const part of [
      '?',
      '?token',
      '?token?',
      'token',
      '&token',
      '=token',
      'bearer+',
      '?api_',
    ]) {
      const uri = `/api?a=x${part.repeat(60_000 / part.length)}`;
      const cost = costOf(() => uriWithoutSecrets(uri));
      assert.ok(cost < 200, `${part}: ${cost.toFixed(0)} ms`);
    }
  });
});
