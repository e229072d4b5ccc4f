import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { ANY, LATEST } from '../watch/reader.ts';
import { getReadPoint, listOptionsFrom, listReadPoint, type ListOptions } from './list-options.ts';

const options = (query: string, watch?: boolean): ListOptions =>
  listOptionsFrom(new URLSearchParams(query), watch);

function refusal(query: string): { code: number; fields: string[] } {
  try {
    options(query);
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    const causes = error.status.details?.causes ?? [];
    return { code: error.code, fields: causes.map(({ field }) => field ?? '') };
  }
  throw new assert.AssertionError({ message: `${query} is accepted` });
}

describe('the options of a list', () => {
  it('are what was sent; negative numbers mean none', () => {
    const read = options(
      'labelSelector=a%3Db&limit=-3&timeoutSeconds=-1&continue=x&orderBy=spec.a',
    );
    assert.equal(read.labelSelector, 'a=b');
    assert.equal(read.limit, 0);
    assert.equal(read.timeoutSeconds, 0);
    assert.equal(read.continueToken, 'x');
    assert.equal(read.orderBy, 'spec.a');
    assert.equal(read.watch, false);
  });

  it('choose the state: the newest, any, not older, or exactly one', () => {
    assert.equal(listReadPoint(options('')), LATEST);
    assert.equal(listReadPoint(options('resourceVersion=0')), ANY);
    const cases: readonly [string, 'exact' | 'notOlderThan'][] = [
      ['resourceVersion=7', 'notOlderThan'],
      ['resourceVersion=7&limit=2', 'exact'],
      ['resourceVersion=7&resourceVersionMatch=Exact', 'exact'],
      ['resourceVersion=7&limit=2&resourceVersionMatch=NotOlderThan', 'notOlderThan'],
    ];
    for (const [query, at] of cases) {
      assert.deepEqual(listReadPoint(options(query)), { at, revision: 7n }, query);
    }
  });

  it('are refused with every field that is wrong', () => {
    assert.deepEqual(refusal('resourceVersionMatch=Exact'), {
      code: 422,
      fields: ['resourceVersionMatch'],
    });
    assert.deepEqual(refusal('resourceVersionMatch=Sometimes&continue=x&sendInitialEvents=true'), {
      code: 422,
      fields: [...Array<string>(3).fill('resourceVersionMatch'), 'sendInitialEvents'],
    });
    assert.deepEqual(refusal('resourceVersion=0&resourceVersionMatch=Exact'), {
      code: 422,
      fields: ['resourceVersionMatch'],
    });
    for (const query of ['limit=many', 'allowWatchBookmarks=maybe', 'limit=99999999999999999999']) {
      assert.equal(refusal(query).code, 400, query);
    }
  });

  it('name a version that is a number', () => {
    for (const text of ['x', '-1', '1.5', '18446744073709551616']) {
      assert.throws(() => getReadPoint(text), { code: 400 }, text);
    }
    assert.equal(getReadPoint(''), LATEST);
    assert.equal(getReadPoint('0'), ANY);
    assert.deepEqual(getReadPoint('12'), { at: 'notOlderThan', revision: 12n });
  });
});

describe('the options of a watch', () => {
  it('are those of the path, where the path says that it is one', () => {
    assert.equal(options('watch=false', true).watch, true);
    assert.equal(options('watch=1').watch, true);
  });

  it('have initial events only together with NotOlderThan', () => {
    assert.deepEqual(refusal('watch=1&sendInitialEvents=true').fields, ['resourceVersionMatch']);
    assert.deepEqual(refusal('watch=1&resourceVersionMatch=NotOlderThan').fields, [
      'resourceVersionMatch',
    ]);
    const { sendInitialEvents } = options(
      'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
    );
    assert.equal(sendInitialEvents, true);
  });

  it('have no pages', () => {
    assert.deepEqual(refusal('watch=1&continue=x').fields, ['continue']);
  });
});
