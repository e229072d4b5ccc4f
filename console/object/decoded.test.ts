import assert from 'node:assert/strict';
import { decoded } from './decoded.ts';

const base64 = (bytes: string | readonly number[]): string =>
  Buffer.from(typeof bytes === 'string' ? bytes : [...bytes]).toString('base64');

describe('a value in base64', () => {
  it('is text where it is UTF-8, with its size in bytes', () => {
    assert.deepEqual(decoded(base64('grün\n\tja')), { bytes: 9, text: 'grün\n\tja' });
    assert.deepEqual(decoded(''), { bytes: 0, text: '' });
    assert.equal(decoded(base64('\ufeffmark'))?.text, '\ufeffmark');
  });

  it('is not text where it is not UTF-8, or holds control characters', () => {
    assert.deepEqual(decoded(base64([0xff, 0xfe, 0x41])), { bytes: 3, text: undefined });
    assert.deepEqual(decoded(base64([0x41, 0])), { bytes: 2, text: undefined });
  });

  it('is nothing where it is not base64', () => {
    assert.equal(decoded('*'), undefined);
  });
});
