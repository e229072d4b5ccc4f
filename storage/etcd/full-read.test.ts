import assert from 'node:assert/strict';
import fc from 'fast-check';
import { systemClock } from '../../api/clock.ts';
import { Authenticator } from './authenticator.ts';
import { EtcdCallError } from './call-error.ts';
import type { EtcdClient, WatchConnection } from './client.ts';
import { Cluster } from './cluster.ts';
import { KeySpace } from './key-space.ts';
import { Lineage } from './lineage.ts';
import { Reader } from './reader.ts';
import type { KeyValue, Method, Methods, RangeRequest, RangeResponse } from './wire.ts';

const VALUE_BYTES = 80 * 1024;
/** An answer of etcd has 2 GiB at most; one of this member less. */
const MOST_BYTES = 64 * 1024 * 1024;
const keySpace = new KeySpace('/registry');

/** A member that answers ranges as etcd does, and counts the keys that etcd walks for them. */
class CountingMember implements EtcdClient {
  readonly endpoint = 'http://member';
  walked = 0;
  ranges = 0;
  readonly #kvs: readonly KeyValue[];

  /** `large`: keys that begin so have values of a megabyte. */
  constructor(keys: readonly string[], valueBytes: number, large: string | undefined) {
    const [value, largeValue] = [Buffer.alloc(valueBytes), Buffer.alloc(2 ** 20)];
    const sorted = [...keys].sort((a, b) => Buffer.compare(keySpace.key(a), keySpace.key(b)));
    this.#kvs = sorted.map((key) => ({
      key: keySpace.key(key),
      createRevision: 1n,
      modRevision: 1n,
      value: large !== undefined && key.startsWith(large) ? largeValue : value,
    }));
  }

  call<M extends Method>(method: M, request: unknown): Promise<Methods[M]['response']> {
    assert.equal(method, 'range');
    return new Promise((resolve) => resolve(this.#range(request as RangeRequest)));
  }

  #range({ key, rangeEnd, limit = 0 }: RangeRequest): RangeResponse {
    this.ranges++;
    const [start, end] = [this.#indexOf(key), this.#indexOf(rangeEnd!)];
    const count = Math.max(0, end - start);
    this.walked += count;
    const kvs = this.#kvs.slice(start, Math.min(end, start + limit));
    const bytes = kvs.reduce((sum, { value }) => sum + value.length, 0);
    if (bytes > MOST_BYTES) throw new EtcdCallError('tooLarge', `${bytes} bytes`);
    return { header: { clusterId: 1n, revision: 1n }, kvs, more: kvs.length < count, count };
  }

  /** Of the first key that is not before this one. */
  #indexOf(key: Buffer): number {
    let [low, high] = [0, this.#kvs.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Buffer.compare(this.#kvs[middle]!.key, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  watch(): WatchConnection {
    throw new Error('it is not watched');
  }
  close(): void {}
}

/** Everything, page after page. */
async function readAll(
  keys: readonly string[],
  valueBytes = VALUE_BYTES,
  large?: string,
): Promise<{ read: string[]; pages: number; member: CountingMember }> {
  const member = new CountingMember(keys, valueBytes, large);
  const cluster = new Cluster([member], new Authenticator(undefined), systemClock);
  const reader = new Reader(cluster, keySpace, new Lineage());
  const read: string[] = [];
  for (let pages = 1; ; pages++) {
    const after = read.at(-1);
    const at = after === undefined ? {} : { after };
    const { items, more } = await reader.list({ prefix: '', limit: 'page', ...at });
    read.push(...items.map(({ key }) => key));
    if (!more) return { read, pages, member };
    assert.ok(items.length > 0, 'a page that others follow is not empty');
  }
}

const COUNT = 20_000;
const numbered = (prefix: string, count = COUNT, digits = 5): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${String(i).padStart(digits, '0')}`);
/** As generated names end: characters that follow from the number, in no order. */
const scattered = (prefix: string): string[] =>
  numbered(prefix).map(
    (key, i) => `${key.slice(0, prefix.length)}${(i * 2_654_435_761) % 2 ** 32}`,
  );

describe('a full read', () => {
  const shapes: [string, string[]][] = [
    ['numbered names', numbered('leases/default/item-')],
    ['names in no order', scattered('pods/default/pod-')],
    [
      'many namespaces',
      Array.from({ length: 2_000 }, (_, i) => numbered(`pods/space-${i}/`, 10)).flat(),
    ],
    [
      'many kinds, one of them large',
      [
        ...Array.from({ length: 300 }, (_, i) => `group${i}.example.com/kinds/only`),
        ...numbered('events/default/event-'),
        ...numbered('zones/', 3),
      ],
    ],
  ];
  for (const [name, keys] of shapes) {
    it(`walks each key a few times, not all that are left for each page: ${name}`, async () => {
      const { read, pages, member } = await readAll(keys);
      assert.deepEqual(read, [...keys].sort());
      assert.ok(pages > 150, `${pages} pages`);
      const { walked, ranges } = member;
      // with the whole rest in each range it is half of pages × keys
      assert.ok(walked < 20 * keys.length, `${walked / keys.length} times each key`);
      assert.ok(ranges < 3 * pages, `${ranges} ranges for ${pages} pages`);
    });
  }

  it('gives each key once, in order, whatever they are called', async () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '/', '-', '9', 'é', '\u{10ffff}') });
    const keys = fc.uniqueArray(part, { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(keys, async (names) => {
        const all = names.map((name) => `k${name}`);
        // a page has three keys or so
        const { read } = await readAll([...numbered('a', 1_000), ...all], 3 * 1024 * 1024);
        const sorted = all.map((key) => Buffer.from(key)).sort((a, b) => Buffer.compare(a, b));
        assert.deepEqual(read.slice(1_000), sorted.map(String));
      }),
    );
  });

  it('asks for fewer keys when those behind small objects are too large for one answer', async () => {
    const keys = [...numbered('a', 30_000), ...numbered('b', 300), ...numbered('c', 30_000)];
    const { read, member } = await readAll(keys, 100, 'b');
    assert.deepEqual(read, keys);
    // 38 pages of 8 large ones; the small ones come in large pages, behind them again
    assert.ok(member.ranges < 80, `${member.ranges} ranges`);
  });
});
