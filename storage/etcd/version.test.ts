import assert from 'node:assert/strict';
import { commonFeatures, featuresOf, limitationsOf } from './version.ts';

const AT = 'http://e:2379';

describe('etcd versions', () => {
  it('are refused when they are too old', () => {
    for (const version of ['3.4.22', '3.4.0', '3.3.99', '2.3.8', '3.4.22+git']) {
      assert.throws(() => featuresOf(version, AT), {
        code: 'unavailable',
        message: `etcd at ${AT} is version ${version}; Plinth needs 3.4.23 or newer`,
      });
    }
  });

  it('tell progress safely from 3.4.25 and 3.5.8 on', () => {
    const safe = (version: string): boolean => featuresOf(version, AT).safeProgress;
    for (const version of ['3.4.23', '3.4.24', '3.5.0', '3.5.7'])
      assert.equal(safe(version), false, version);
    for (const version of ['3.4.25', '3.4.45', '3.5.8', '3.5.30', '3.6.0', '3.7.1', '4.0.0']) {
      assert.equal(safe(version), true, version);
    }
  });

  it('keep watches whole through compaction from 3.4.36 and 3.5.18 on', () => {
    const safe = (version: string): boolean => featuresOf(version, AT).safeCompaction;
    for (const version of ['3.4.23', '3.4.35', '3.5.8', '3.5.17'])
      assert.equal(safe(version), false, version);
    for (const version of ['3.4.36', '3.5.18', '3.6.0-rc.1', '3.6.4'])
      assert.equal(safe(version), true, version);
  });

  it('are treated as the oldest version when they cannot be parsed', () => {
    const features = featuresOf('from source', AT);
    assert.deepEqual([features.safeProgress, features.safeCompaction], [false, false]);
  });

  it('limit a cluster to what all of its members can do', () => {
    const mixed = commonFeatures([featuresOf('3.5.30', AT), featuresOf('3.5.7', AT)]);
    assert.equal(mixed.safeProgress, false);
    assert.equal(mixed.version, '3.5.30, 3.5.7');
    assert.deepEqual(limitationsOf(featuresOf('3.5.30', AT)), []);
    assert.equal(limitationsOf(featuresOf('3.4.23', AT)).length, 2);
    assert.equal(limitationsOf(featuresOf('3.5.1', AT)).length, 3);
  });
});
