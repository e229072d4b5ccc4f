import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { listOptionsFrom } from './list-options.ts';
import { strictBooleanParameter } from '../api/query.ts';

describe('strict boolean parameters', () => {
  const read = (text: string): boolean | undefined =>
    strictBooleanParameter(new URLSearchParams(text), 'a');

  it('take the usual spellings', () => {
    for (const text of ['a=true', 'a=True', 'a=1', 'a=t', 'a='])
      assert.equal(read(text), true, text);
    for (const text of ['a=false', 'a=FALSE', 'a=0', 'a=f']) assert.equal(read(text), false, text);
    assert.equal(read('b=1'), undefined);
  });

  it('refuse everything else: allowWatchBookmarks=maybe is 400', () => {
    const isBadRequest = (error: unknown): boolean =>
      error instanceof ApiError && error.code === 400;
    assert.throws(() => read('a=maybe'), isBadRequest);
    const query = new URLSearchParams('watch=1&allowWatchBookmarks=maybe');
    assert.throws(() => listOptionsFrom(query), isBadRequest);
  });
});
