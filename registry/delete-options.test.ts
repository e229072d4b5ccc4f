import assert from 'node:assert/strict';
import type { ApiError } from '../api/api-error.ts';
import type { JsonValue } from '../api/json.ts';
import {
  DEFAULT_DELETE_OPTIONS,
  deleteOptionsFrom,
  deleteOptionsObject,
} from './delete-options.ts';

const read = (query: string, body?: JsonValue, ofCollection = false): unknown =>
  deleteOptionsFrom(new URLSearchParams(query), body, ofCollection);

/** Code and message of the refusal. */
function refusal(query: string, body?: JsonValue): string {
  try {
    read(query, body);
  } catch (error) {
    const { code, message } = error as ApiError;
    return `${code} ${message}`;
  }
  return 'accepted';
}

describe('options of a delete', () => {
  it('are the defaults when nothing is said, in the query or in a body of null', () => {
    assert.deepEqual(read(''), DEFAULT_DELETE_OPTIONS);
    assert.deepEqual(read('', {}), DEFAULT_DELETE_OPTIONS);
    assert.deepEqual(read('', null), DEFAULT_DELETE_OPTIONS);
  });

  it('keep a dry run of the query although there is a body', () => {
    assert.deepEqual(read('dryRun=All', {}), { ...DEFAULT_DELETE_OPTIONS, dryRun: true });
    assert.deepEqual(read('', { dryRun: ['All'] }), { ...DEFAULT_DELETE_OPTIONS, dryRun: true });
  });

  it('may be said in query and body when both agree', () => {
    const same = { propagationPolicy: 'Orphan', gracePeriodSeconds: 5 };
    assert.deepEqual(read('propagationPolicy=Orphan&gracePeriodSeconds=5', same), {
      ...DEFAULT_DELETE_OPTIONS,
      ...same,
    });
    const differing: [string, JsonValue][] = [
      ['propagationPolicy=Orphan', { propagationPolicy: 'Background' }],
      ['gracePeriodSeconds=5', { gracePeriodSeconds: 6 }],
      ['orphanDependents=true', { orphanDependents: false }],
      ['uid=a', { preconditions: { uid: 'b' } }],
      ['resourceVersion=1', { preconditions: { resourceVersion: '2' } }],
    ];
    for (const [query, body] of differing) {
      assert.match(refusal(query, body), /^400 .* in the query and .* in the body: they must be/);
    }
  });

  it('take uid and resourceVersion of the query as preconditions, empty ones as none', () => {
    const preconditions = { uid: 'u', resourceVersion: '7' };
    assert.deepEqual(read('uid=u&resourceVersion=7'), { ...DEFAULT_DELETE_OPTIONS, preconditions });
    assert.deepEqual(read('uid=&resourceVersion='), DEFAULT_DELETE_OPTIONS);
  });

  it('leave resourceVersion to the list when a collection is deleted', () => {
    assert.deepEqual(read('resourceVersion=7', undefined, true), DEFAULT_DELETE_OPTIONS);
  });

  it('are refused with 400 when they are of the wrong type', () => {
    assert.match(refusal('', [1]), /^400 expected a DeleteOptions object/);
    assert.match(refusal('', { kind: 'Status' }), /^400 expected DeleteOptions, got "Status"/);
    const wrong: [JsonValue, RegExp][] = [
      [{ preconditions: 'x' }, /preconditions must be an object/],
      [{ preconditions: { uid: 1 } }, /preconditions\.uid must be a string/],
      [{ gracePeriodSeconds: 1.5 }, /gracePeriodSeconds must be an integer/],
      [{ orphanDependents: 'yes' }, /orphanDependents must be a boolean/],
      [{ dryRun: 'All' }, /dryRun must be a list of strings/],
    ];
    for (const [body, why] of wrong) assert.match(refusal('', body), why);
  });

  it('are refused with 422 for a policy that does not exist, or that is given in both forms', () => {
    assert.match(refusal('propagationPolicy=Later'), /^422 .*Unsupported value: "Later"/);
    const both = 'propagationPolicy=Orphan&orphanDependents=true';
    assert.match(refusal(both), /^422 .*cannot be both set/);
    assert.match(refusal('dryRun=Some'), /^422 .*dryRun/);
  });

  it('are shown to admission with what was said only', () => {
    const plain = { kind: 'DeleteOptions', apiVersion: 'meta.cluster.io/v1' };
    assert.deepEqual(deleteOptionsObject(DEFAULT_DELETE_OPTIONS), plain);
    const said = deleteOptionsFrom(
      new URLSearchParams('dryRun=All&uid=u&gracePeriodSeconds=0'),
      {},
    );
    assert.deepEqual(deleteOptionsObject(said), {
      ...plain,
      dryRun: ['All'],
      gracePeriodSeconds: 0,
      preconditions: { uid: 'u' },
    });
  });
});
