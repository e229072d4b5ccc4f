import assert from 'node:assert/strict';
import type { Revision } from '../../api/revision.ts';
import { noneConverter } from '../../registry/conversion.ts';
import { Views } from '../../registry/views.ts';
import { entryOf, gadgets, leases } from './testing.ts';
import { JsonEncoder } from './watch-encoder.ts';

const REVISION = 9n as Revision;

describe('JsonEncoder', () => {
  const views = new Views(noneConverter);

  it('frames the finished bytes', () => {
    const resource = leases();
    const entry = entryOf(resource, 'a', 5n);
    const frame = new JsonEncoder(resource, views).event('ADDED', entry) as Buffer;
    assert.equal(frame.toString(), `{"type":"ADDED","object":${entry.bytes.toString()}}\n`);
  });

  it('shows bookmarks with type and revision only', () => {
    const frame = new JsonEncoder(gadgets(), views).bookmark(REVISION, false);
    assert.equal(
      frame.toString(),
      '{"type":"BOOKMARK","object":{"apiVersion":"example.com/v1","kind":"Gadget","metadata":{"resourceVersion":"9"}}}\n',
    );
  });

  it('marks the end of the initial events', () => {
    const frame = new JsonEncoder(gadgets(), views).bookmark(REVISION, true);
    assert.match(
      frame.toString(),
      /"metadata":\{"annotations":\{"k8s.io\/initial-events-end":"true"\},"resourceVersion":"9"\}/,
    );
  });

  it('adds what a built-in kind never leaves out', () => {
    const frame = new JsonEncoder(leases(), views).bookmark(REVISION, false);
    assert.equal(
      frame.toString(),
      '{"type":"BOOKMARK","object":{"apiVersion":"coordination.cluster.io/v1","kind":"Lease","metadata":{"resourceVersion":"9"},"spec":{}}}\n',
    );
  });

  it('is shared by streams of one version only', () => {
    const [one, other] = [leases(), leases()];
    assert.equal(new JsonEncoder(one, views).id, new JsonEncoder(one, views).id);
    assert.notEqual(new JsonEncoder(one, views).id, new JsonEncoder(other, views).id);
  });
});
