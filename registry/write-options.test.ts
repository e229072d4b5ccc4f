import assert from 'node:assert/strict';
import { ApiError } from '../api/api-error.ts';
import { optionsObject, writeOptionsFrom, type WriteOptions } from './write-options.ts';

type Kind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';
const read = (query: string, kind: Kind = 'CreateOptions'): WriteOptions =>
  writeOptionsFrom(new URLSearchParams(query), kind);

describe('the options of a write', () => {
  it('warn of unknown fields unless the client says otherwise', () => {
    assert.equal(read('').fieldValidation, 'Warn');
    assert.equal(read('fieldValidation=Strict').fieldValidation, 'Strict');
    assert.equal(read('fieldValidation=Ignore').fieldValidation, 'Ignore');
  });

  it('dry-run with All, and with nothing else', () => {
    assert.equal(read('').dryRun, false);
    assert.equal(read('dryRun=All').dryRun, true);
    for (const query of ['dryRun=', 'dryRun=true', 'dryRun=All&dryRun=Some']) {
      assert.throws(() => read(query), { code: 422 }, query);
    }
  });

  it('are refused with every field that is wrong, by the name of their kind', () => {
    const manager = 'x'.repeat(129);
    const query = `dryRun=Some&fieldValidation=Maybe&fieldManager=${manager}`;
    assert.throws(
      () => read(query, 'UpdateOptions'),
      (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.match(error.message, /^UpdateOptions\.meta\.cluster\.io "" is invalid/);
        const fields = (error.status.details?.causes ?? []).map(({ field }) => field);
        assert.deepEqual(fields, ['dryRun', 'fieldManager', 'fieldValidation']);
        return true;
      },
    );
  });

  it('are shown to admission as the client gave them', () => {
    assert.deepEqual(optionsObject('CreateOptions', read('')), {
      kind: 'CreateOptions',
      apiVersion: 'meta.cluster.io/v1',
    });
    const query = 'dryRun=All&fieldManager=me&fieldValidation=Warn';
    assert.deepEqual(optionsObject('UpdateOptions', read(query)), {
      kind: 'UpdateOptions',
      apiVersion: 'meta.cluster.io/v1',
      dryRun: ['All'],
      fieldManager: 'me',
      fieldValidation: 'Warn',
    });
  });
});
