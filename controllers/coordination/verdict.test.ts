import assert from 'node:assert/strict';
import { SemVer } from '../../api/semver.ts';
import { revisionOf } from '../../api/revision.ts';
import type { LeaseRecord } from '../election/lease-record.ts';
import type { Candidate } from './candidate.ts';
import { verdictOn } from './verdict.ts';

const NOW = Date.UTC(2024, 0, 1);
const OLDEST = 'OldestEmulationVersion';

interface Given {
  binary?: string;
  emulation?: string;
  strategy?: string;
  renewed?: number;
  pinged?: number;
  created?: number;
}

/** Times are milliseconds before now; a candidate that renewed a moment ago unless it says otherwise. */
function candidate(name: string, given: Given = {}): Candidate {
  const { binary = '1.36.0', emulation = binary, strategy = OLDEST, renewed = 0 } = given;
  return {
    uid: name,
    revision: revisionOf('1'),
    namespace: 'a',
    name,
    leaseName: 'lock',
    strategy,
    binary: SemVer.parse(binary),
    emulation: SemVer.parse(emulation),
    renewedAt: renewed === Infinity ? undefined : NOW - renewed,
    pingedAt: given.pinged === undefined ? undefined : NOW - given.pinged,
    createdAt: NOW - (given.created ?? 0),
    isHeld: false,
  };
}

/** A lease of five seconds that was renewed so many milliseconds ago. */
function lease(holder: string, renewed = 0, more: Partial<LeaseRecord> = {}): LeaseRecord {
  return {
    holder,
    durationSeconds: 5,
    renewedAt: NOW - renewed,
    transitions: 0,
    strategy: OLDEST,
    preferredHolder: undefined,
    ...more,
  };
}

const verdict = (candidates: Candidate[], record?: LeaseRecord): ReturnType<typeof verdictOn> =>
  verdictOn(candidates, record, NOW);
const pinged = (candidates: Candidate[], record?: LeaseRecord): string[] =>
  verdict(candidates, record).pings.map(({ name }) => name);

describe('coordinated election', () => {
  const elected: Record<string, [string, Candidate[]]> = {
    'the lowest emulation version': [
      'b',
      [
        candidate('a', { binary: '1.36.0', emulation: '1.36.0' }),
        candidate('b', { binary: '1.36.0', emulation: '1.34.0' }),
        candidate('c', { binary: '1.35.0', emulation: '1.35.0' }),
      ],
    ],
    'of equal ones the lowest binary version': [
      'c',
      [
        candidate('a', { binary: '1.36.0', emulation: '1.34.0' }),
        candidate('b', { binary: '1.37.0', emulation: '1.34.0' }),
        candidate('c', { binary: '1.35.0', emulation: '1.34.0' }),
      ],
    ],
    'of equal ones the oldest': [
      'b',
      [candidate('a', { created: 1_000 }), candidate('b', { created: 5_000 }), candidate('c')],
    ],
    'of twins the first by name': ['a', [candidate('b'), candidate('a')]],
    'versions as numbers, not as text': [
      'b',
      [candidate('a', { binary: '1.10.0' }), candidate('b', { binary: '1.9.0' })],
    ],
    'one that stands by another strategy, too': [
      'old',
      [
        candidate('new', { binary: '1.36.0' }),
        candidate('old', { binary: '1.35.0', strategy: 'example.com/pick' }),
      ],
    ],
    'skips a candidate whose versions contradict each other': [
      'b',
      [candidate('a', { binary: '1.33.0', emulation: '1.34.0' }), candidate('b')],
    ],
    'skips a candidate that has not renewed for half an hour': [
      'b',
      [candidate('a', { binary: '1.30.0', renewed: 1_800_001 }), candidate('b')],
    ],
    'skips a candidate that never renewed': [
      'b',
      [candidate('a', { binary: '1.30.0', renewed: Infinity }), candidate('b')],
    ],
    'skips a candidate that does not answer': [
      'b',
      [candidate('a', { binary: '1.30.0', renewed: 9_000, pinged: 5_000 }), candidate('b')],
    ],
    'one that answered while others were waited for': [
      'a',
      [
        candidate('a', { binary: '1.30.0', renewed: 5_001, pinged: 5_002 }),
        candidate('b', { binary: '1.29.0', renewed: 9_000, pinged: 5_002 }),
      ],
    ],
  };
  for (const [what, [holder, candidates]] of Object.entries(elected)) {
    it(`elects ${what}`, () => {
      for (const record of [undefined, lease('', 0), lease('gone', 5_001)]) {
        const { change, pings } = verdict(candidates, record);
        assert.deepEqual(pings, []);
        assert.deepEqual(change, { set: 'holder', holder });
      }
    });
  }

  it('gives a lease that has run out back to the best one', () => {
    assert.deepEqual(verdict([candidate('a')], lease('a', 5_001)).change, {
      set: 'holder',
      holder: 'a',
    });
  });

  it('pings once each candidate that has not renewed within five seconds, before it elects', () => {
    const candidates = [
      candidate('quiet', { renewed: 60_000 }),
      candidate('asked', { renewed: 60_000, pinged: 1_000 }),
      candidate('silent', { renewed: 60_000, pinged: 6_000 }),
      candidate('fresh'),
    ];
    assert.deepEqual(pinged(candidates), ['quiet']);
    assert.equal(verdict(candidates).change, undefined);
    const [, asked] = candidates;
    const waiting = verdict([asked!]);
    assert.deepEqual(waiting, { pings: [], againAfterMs: 4_000 });
  });

  it('asks a live holder to yield to a better candidate only while that candidate exists', () => {
    const [old, young] = [candidate('old', { binary: '1.35.0' }), candidate('young')];
    assert.deepEqual(verdict([old, young], lease('young')).change, {
      set: 'preferred',
      preferred: 'old',
    });
    const asked = lease('young', 0, { preferredHolder: 'old' });
    assert.equal(verdict([old, young], asked).change, undefined);
    assert.deepEqual(verdict([young], asked).change, { set: 'preferred', preferred: undefined });
  });

  it('leaves the best one alone until its lease runs out', () => {
    const { change, pings, againAfterMs } = verdict(
      [candidate('a', { renewed: 10_000 }), candidate('b', { renewed: 10_000, binary: '1.37.0' })],
      lease('a', 1_000),
    );
    assert.deepEqual([change, pings], [undefined, []]);
    assert.ok(againAfterMs > 3_900 && againAfterMs < 4_100, String(againAfterMs));
  });

  it('does not ask the holder repeatedly when the better candidate is silent', () => {
    const candidates = [
      candidate('dead', { binary: '1.30.0', renewed: 60_000, pinged: 20_000 }),
      candidate('a', { renewed: 19_000, pinged: 20_000 }),
    ];
    assert.deepEqual(pinged(candidates, lease('a')), []);
  });

  it('pings all candidates every fifteen minutes', () => {
    assert.deepEqual(pinged([candidate('a', { renewed: 899_000 })], lease('a')), []);
    assert.deepEqual(pinged([candidate('a', { renewed: 901_000 })], lease('a')), ['a']);
  });

  it('does nothing for a lease when the newest disagree on the strategy, and says so', () => {
    const candidates = [
      candidate('a', { strategy: 'example.com/pick' }),
      candidate('b'),
      candidate('c', { binary: '1.35.0' }),
    ];
    for (const record of [undefined, lease('x', 60_000), lease('c')]) {
      const { change, problem } = verdict(candidates, record);
      assert.equal(change, undefined);
      assert.match(problem ?? '', /"a", "b" at same binary version .* differing strategies/);
    }
    // a newer one decides
    const newer = candidate('d', { binary: '1.37.0' });
    assert.deepEqual(verdict([...candidates, newer]).change, { set: 'holder', holder: 'c' });
  });

  it('puts a foreign strategy on the lease and leaves the rest to others', () => {
    const foreign = candidate('a', { strategy: 'example.com/pick' });
    const change = { set: 'strategy', strategy: 'example.com/pick' };
    assert.deepEqual(verdict([foreign]).change, change);
    assert.deepEqual(verdict([foreign], lease('x', 60_000)).change, change);
    const theirs = lease('', 60_000, { strategy: 'example.com/pick' });
    assert.equal(verdict([foreign], theirs).change, undefined);
  });

  it('does nothing without candidates', () => {
    assert.deepEqual(verdict([]), { pings: [], againAfterMs: Infinity });
  });
});
