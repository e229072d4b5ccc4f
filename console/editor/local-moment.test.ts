import assert from 'node:assert/strict';
import { localOf, momentOf } from './local-moment.ts';

describe('a moment in a form', () => {
  it('is shown in local time and written as the API writes it', () => {
    for (const text of ['2026-01-02T03:04:05Z', '2026-07-31T23:59:59Z', '0999-01-01T00:00:00Z']) {
      const local = localOf(text);
      assert.match(local ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
      assert.equal(momentOf(local ?? '', false), text);
      assert.equal(momentOf(local ?? '', true), text.replace('Z', '.000000Z'));
    }
    assert.equal(momentOf('2026-01-02T03:04', false), momentOf('2026-01-02T03:04:00', false));
  });

  it('is nothing where the field is empty or holds something else', () => {
    assert.equal(localOf('soon'), undefined);
    assert.equal(momentOf('', false), undefined);
    assert.equal(momentOf('soon', true), undefined);
  });
});
