import assert from 'node:assert/strict';
import { fieldErrorText } from '../api/field-error.ts';
import { FieldPath } from '../api/field-path.ts';
import type { ManagedFieldsEntry } from '../api/object.ts';
import {
  APPLY_PATCH,
  managerOfRequest,
  MERGE_PATCH,
  validateManagedFields,
  validatePatchOptions,
  type PatchOptions,
} from './patch-options.ts';

const errors = (options: PatchOptions, mediaType = APPLY_PATCH): string[] =>
  validatePatchOptions(options, mediaType).map(fieldErrorText);

describe('patch options', () => {
  it('an apply needs a field manager', () => {
    const required = ['fieldManager: Required value: is required for apply patch'];
    assert.deepEqual(errors({}), required);
    assert.deepEqual(errors({ fieldManager: '' }), required);
    assert.deepEqual(errors({ fieldManager: 'a', force: 'true' }), []);
  });

  it('only an apply may be forced, whatever the value', () => {
    for (const force of ['true', 'false', 'maybe', '']) {
      assert.deepEqual(errors({ force }, MERGE_PATCH), [
        'force: Forbidden: may not be specified for non-apply patch',
      ]);
    }
    assert.deepEqual(errors({}, MERGE_PATCH), []);
  });

  it('a field manager has at most 128 bytes of printable characters', () => {
    assert.deepEqual(errors({ fieldManager: 'm'.repeat(128) }), []);
    assert.deepEqual(errors({ fieldManager: 'ü'.repeat(65) }), [
      'fieldManager: Too long: may not be more than 128 bytes',
    ]);
    assert.deepEqual(errors({ fieldManager: 'my tool/v1.0+x über 日本 ✓' }), []);
    assert.deepEqual(errors({ fieldManager: 'a\nb' }), [
      'fieldManager: Invalid value: "a\\nb": invalid character U+000A (at position 1)',
    ]);
    assert.deepEqual(errors({ fieldManager: 'ü\u0000\u200b' }).length, 2);
  });

  it('without the parameter the manager is the product of the user agent', () => {
    assert.equal(managerOfRequest('zoe', 'tool/v1'), 'zoe');
    assert.equal(managerOfRequest('', 'tool/v1.2 (linux) extra'), 'tool');
    assert.equal(managerOfRequest(undefined, 'zeta'), 'zeta');
    assert.equal(managerOfRequest(undefined, ''), '');
    assert.equal(managerOfRequest(undefined, `a\tb${'u'.repeat(200)}/1`), `ab${'u'.repeat(126)}`);
    assert.equal(managerOfRequest(undefined, 'ü'.repeat(100)), 'ü'.repeat(64));
  });
});

describe('entries of managed fields as they are stored', () => {
  it('name a known operation, a known format, a manager and subresource of bounded length', () => {
    const entry = (more: object): ManagedFieldsEntry => ({
      manager: 'm',
      operation: 'Apply',
      fieldsType: 'FieldsV1',
      ...more,
    });
    const check = (...entries: ManagedFieldsEntry[]): string[] =>
      validateManagedFields(entries, FieldPath.of('metadata', 'managedFields')).map(fieldErrorText);
    assert.deepEqual(check(entry({}), entry({ operation: 'Update', fieldsType: '' })), []);
    assert.deepEqual(
      check(
        entry({ operation: '' }),
        entry({ operation: 'Create' }),
        entry({ fieldsType: 'V2' }),
        entry({ manager: 'm'.repeat(129) }),
        entry({ subresource: 's'.repeat(257) }),
      ),
      [
        'metadata.managedFields[0].operation: Required value: must not be empty',
        'metadata.managedFields[1].operation: Unsupported value: "Create": supported values: "Apply", "Update"',
        'metadata.managedFields[2].fieldsType: Invalid value: "V2": must be `FieldsV1`',
        'metadata.managedFields[3].manager: Too long: may not be more than 128 bytes',
        'metadata.managedFields[4].subresource: Too long: may not be more than 256 bytes',
      ],
    );
  });
});
