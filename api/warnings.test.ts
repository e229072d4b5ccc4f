import { validateHeaderValue } from 'node:http';
import { Warnings } from './warnings.ts';

describe('warnings', () => {
  it('are values that a header may have, whatever they hold', () => {
    for (let code = 0; code <= 0x3000; code++) {
      const warnings = new Warnings();
      warnings.add(`a${String.fromCharCode(code)}b`);
      for (const value of warnings.headers()) validateHeaderValue('warning', value);
    }
  });
});
