import assert from 'node:assert/strict';
import { underAlias } from '../registry/alias.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import { Entry } from '../watch/entry.ts';
import { revisionOf } from '../api/revision.ts';
import { atHand } from './at-hand.ts';
import { entryOf, gadgets, leases, testParts } from './testing.ts';

describe('bytes at hand', () => {
  const { views } = testParts();
  const some = (resource: ServedResource): Entry[] =>
    ['a', 'b', 'c'].map((name, i) => entryOf(resource, name, BigInt(i + 1)));

  it('are those that are shown, of built-in kinds at once', () => {
    const resource = leases();
    const entries = some(resource);
    const found = atHand(views, resource);
    assert.deepEqual(
      found?.bytesOf(entries),
      entries.map((entry) => views.bytes(resource, entry)),
    );
    const [first] = found.bytesOf(entries) ?? [];
    assert.ok(first?.toString().startsWith(`${found.prefix.toString()}"metadata":{`));
  });

  it('of custom resources are there once they have been made, until the schema changes', () => {
    const resource = gadgets();
    const entries = some(resource);
    const found = atHand(views, resource);
    assert.equal(found?.bytesOf(entries), undefined);
    const made = entries.map((entry) => views.bytes(resource, entry));
    assert.deepEqual(found?.bytesOf(entries), made);
    assert.equal(found.prefix.length, 0);
    const changed = { ...resource, version: { ...resource.version } };
    assert.equal(atHand(views, changed)?.bytesOf(entries), undefined);
  });

  it('are not when one object is not as this server writes it', () => {
    const resource = leases();
    const odd = Entry.fromStored(
      'x',
      Buffer.from('{"kind":"Lease","metadata":{"name":"x"}}'),
      revisionOf(9n),
    );
    const broken = Entry.fromStored('y', Buffer.from('no object'), revisionOf(9n));
    for (const entry of [odd, broken]) {
      assert.equal(atHand(views, resource)?.bytesOf([...some(resource), entry]), undefined);
    }
  });

  it('are not under the alias of a group', () => {
    assert.equal(atHand(views, underAlias(leases())), undefined);
  });
});
