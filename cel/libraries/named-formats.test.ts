import assert from 'node:assert/strict';
import { API_ENVIRONMENT } from '../environments.ts';

/** Whether a text has one of the formats that rules can name. */
function fits(format: string, text: string): unknown {
  const expression = `!format.${format}().validate(${JSON.stringify(text)}).hasValue()`;
  const compiled = API_ENVIRONMENT.compile(expression);
  assert.ok(compiled.ok, compiled.ok ? '' : compiled.message);
  const result = compiled.program.evaluate({ get: () => undefined }, { limit: 1_000_000 });
  assert.ok(result.ok, result.ok ? '' : result.message);
  return result.value;
}

describe('named formats', () => {
  for (const [format, good, bad] of [
    ['dns1123Label', ['a', '0-a'], ['', 'A', '-a', 'a.b']],
    ['dns1123LabelPrefix', ['a-', 'a'], ['a.', '-']],
    ['dns1123Subdomain', ['a.b', '0'], ['a..b', 'a.b.']],
    ['dns1035Label', ['a0'], ['0a']],
    ['qualifiedName', ['a.example/B_c', 'B'], ['/b', 'a/b/c', 'a.example/']],
    ['labelValue', ['', 'A_b.c'], ['-a', 'a b']],
    ['uri', ['http://a/b', '/a', 'urn:a'], ['a b', 'a', 'http://a/%zz']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000'], ['123']],
    ['byte', ['aGVsbG8=', 'aGVs'], ['', 'aGVsbG8', 'aGVs\n', 'aGV_', '====']],
    ['date', ['2024-02-29'], ['2023-02-29', '2024-2-29', '24-02-29']],
    [
      'datetime',
      ['2024-02-29T23:59:59Z', '2024-02-29t00:00:00.5+99:99'],
      ['2024-02-29', '2024-02-29T24:00:00Z', '2024-02-29T00:00:60Z', '2024-02-29 00:00:00Z'],
    ],
  ] as const) {
    it(format, () => {
      for (const text of good) assert.equal(fits(format, text), true, text);
      for (const text of bad) assert.equal(fits(format, text), false, text);
    });
  }
});
