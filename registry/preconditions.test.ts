import assert from 'node:assert/strict';
import type { ApiError } from '../api/api-error.ts';
import type { ObjectMeta } from '../api/object.ts';
import { revisionOf } from '../api/revision.ts';
import { Warnings } from '../api/warnings.ts';
import { SYSTEM_USER } from '../api/user.ts';
import { leaseDefinition } from '../resources/coordination/lease.ts';
import { ALL_FEATURE_GATES } from '../resources/feature-gates.ts';
import { encodeStored } from '../storage/stored-bytes.ts';
import { Entry } from '../watch/entry.ts';
import { storedResource } from './catalog.ts';
import { checkUid, checkVersion, uidMismatch } from './preconditions.ts';
import { DEFAULT_WRITE_OPTIONS } from './write-options.ts';
import type { WriteRequest } from './write-request.ts';

const REQUEST: WriteRequest = {
  context: {
    user: SYSTEM_USER,
    warnings: new Warnings(),
    audit: new Map(),
    signal: undefined,
    defaultManager: 'm',
  },
  target: {
    resource: storedResource(leaseDefinition(ALL_FEATURE_GATES)),
    namespace: 'a',
    name: 'one',
  },
  subresource: '',
  options: DEFAULT_WRITE_OPTIONS,
};
const STORED = encodeStored({ apiVersion: 'v1', kind: 'Lease', metadata: { name: 'one' } });
const CURRENT = Entry.fromStored('a/one', STORED, revisionOf(7n));

function refusal(act: () => void): string {
  try {
    act();
    return 'accepted';
  } catch (error) {
    const { code, message } = error as ApiError;
    return `${code} ${message}`;
  }
}
const ofUid = (sent: ObjectMeta, old: ObjectMeta = { uid: 'a' }): string =>
  refusal(() => checkUid(REQUEST, sent, old));
const ofVersion = (resourceVersion: string | undefined, unconditional = false): string =>
  refusal(() => checkVersion(REQUEST, unconditional, { resourceVersion } as ObjectMeta, CURRENT));

describe('preconditions of a write', () => {
  it('are met without a uid, and by the uid of the object', () => {
    assert.deepEqual(
      [ofUid({}), ofUid({ uid: '' }), ofUid({ uid: 'a' })],
      Array(3).fill('accepted'),
    );
  });

  it('are not met by the uid of an object that had the name before', () => {
    assert.match(
      ofUid({ uid: 'b' }),
      /^409 .*Precondition failed: UID in precondition: b, UID in object meta: a$/,
    );
    assert.match(uidMismatch(REQUEST, 'b', '').message, /none, since the object does not exist$/);
  });

  it('are met by the present resourceVersion and by no other', () => {
    assert.equal(ofVersion('7'), 'accepted');
    assert.match(ofVersion('6'), /^409 .*the object has been modified/);
    assert.match(ofVersion('8', true), /^409 .*the object has been modified/);
    assert.match(ofVersion('seven'), /^400 /);
  });

  it('need a resourceVersion unless the kind may be replaced without one', () => {
    for (const none of [undefined, '', '0']) {
      assert.equal(ofVersion(none, true), 'accepted');
      assert.match(ofVersion(none), /^422 .*metadata\.resourceVersion.*must be specified/);
    }
  });
});
