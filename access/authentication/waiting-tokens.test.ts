import assert from 'node:assert/strict';
import { UndecidedCredential } from './authenticator.ts';
import { WaitingTokens } from './waiting-tokens.ts';

describe('tokens that wait for another server', () => {
  const cases: [what: string, token: string, most: number][] = [
    ['are four thousand at most', 'short', 4_000],
    ['have 16 Mi characters at most', 'x'.repeat(64 * 1024), 256],
  ];
  for (const [what, token, most] of cases) {
    it(what, async () => {
      const waiting = new WaitingTokens();
      let answer = (): void => undefined;
      const asked = new Promise<void>((resolve) => (answer = resolve));
      const all = Array.from({ length: most }, () => waiting.while(token, () => asked));
      const refused = (): Promise<void> => waiting.while(token, () => assert.fail('asked'));
      await assert.rejects(refused, UndecidedCredential);
      answer();
      await Promise.all(all);
      assert.equal(await waiting.while(token, () => 'known'), 'known');
      await assert.rejects(
        waiting.while(token, () => Promise.reject(new Error('broken'))),
        /broken/,
      );
      await Promise.all(Array.from({ length: most }, () => waiting.while(token, () => undefined)));
    });
  }
});
