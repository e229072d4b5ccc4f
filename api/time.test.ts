import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  age,
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  humanDuration,
  microTimeOf,
  parseMicroTime,
  parseTime,
  timeError,
} from './time.ts';

/** Texts that are a time apart from their fraction, or lack of one. */
const NO_TIME = [
  '',
  'yesterday',
  '1999-01-02',
  '1999-01-02 03:04:05.123456Z',
  '1999-01-02T03:04:05.123456',
  '1999-01-02t03:04:05.123456Z',
  '1999-01-02T03:04:05.123456z',
  '1999-02-30T03:04:05.123456Z',
  '1999-02-29T03:04:05.123456Z',
  '1900-02-29T03:04:05.123456Z',
  '1999-13-01T03:04:05.123456Z',
  '1999-00-01T03:04:05.123456Z',
  '1999-01-00T03:04:05.123456Z',
  '1999-01-32T03:04:05.123456Z',
  '1999-12-99T03:04:05.123456Z',
  '1999-01-02T24:00:00.000000Z',
  '1999-01-02T03:60:00.000000Z',
  '1999-12-31T23:59:60.000000Z',
  '1999-1-2T03:04:05.123456Z',
  '99-01-02T03:04:05.123456Z',
  '1999-01-02T03:04:05.123456+0200',
  '1999-01-02T03:04:05.123456+25:00',
  '1999-01-02T03:04:05.123456+02:61',
  '1999-01-02T03:04:05.123456 Z',
  '9999-12-31T23:59:59.000000-01:00',
  '0000-01-01T00:00:00.000000+01:00',
  '١٩٩٩-01-02T03:04:05.123456Z',
];

describe('Time', () => {
  it('is written in UTC with whole seconds', () => {
    const cases: Record<string, string> = {
      '1999-01-02T03:04:05Z': '1999-01-02T03:04:05Z',
      '1999-01-02T03:04:05+02:00': '1999-01-02T01:04:05Z',
      '1999-01-02T03:04:05-11:30': '1999-01-02T14:34:05Z',
      '1999-01-02T03:04:05.999999999Z': '1999-01-02T03:04:05Z',
      '1999-01-02T03:04:05,5Z': '1999-01-02T03:04:05Z',
      '1999-01-02T3:04:05Z': '1999-01-02T03:04:05Z',
      '2000-02-29T00:00:00+24:00': '2000-02-28T00:00:00Z',
      '0099-12-31T23:59:59Z': '0099-12-31T23:59:59Z',
      '1969-12-31T23:59:59.5Z': '1969-12-31T23:59:59Z',
    };
    for (const [text, expected] of Object.entries(cases)) {
      assert.equal(canonicalTime(text), expected, text);
    }
    assert.equal(formatTime(1_700_000_000_999), '2023-11-14T22:13:20Z');
    assert.equal(parseTime('1970-01-01T00:00:01.9Z'), 1000);
  });

  it('is unset at the zero time', () => {
    assert.equal(canonicalTime('0001-01-01T00:00:00Z'), null);
    assert.equal(canonicalTime('0001-01-01T01:00:00+01:00'), null);
    assert.equal(canonicalMicroTime('0001-01-01T00:00:00.000000Z'), null);
    assert.equal(canonicalMicroTime('0001-01-01T00:00:00.000001Z'), '0001-01-01T00:00:00.000001Z');
  });

  it('is the same moment in each of its spellings, or not a time in any', () => {
    const digits = fc.nat(99).map((n) => String(n).padStart(2, '0'));
    const near = fc.constantFrom(
      '00',
      '01',
      '02',
      '09',
      '12',
      '23',
      '24',
      '28',
      '29',
      '30',
      '31',
      '59',
      '60',
      ' 1',
      '1x',
    );
    const two = fc.oneof(digits, near);
    const year = fc.oneof(
      fc.constantFrom('0000', '0099', '0100', '1969', '2000', '2100', '9999'),
      fc.tuple(digits, digits).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(year, two, two, two, two, two, (y, month, day, hour, minute, second) => {
        const text = `${y}-${month}-${day}T${hour}:${minute}:${second}`;
        for (const read of [parseTime, canonicalTime]) {
          assert.equal(read(`${text}Z`), read(`${text}+00:00`), text);
        }
        const micro = `${text}.000001`;
        assert.equal(canonicalMicroTime(`${micro}Z`), canonicalMicroTime(`${micro}+00:00`), micro);
      }),
      { numRuns: 2_000 },
    );
  });

  it('refuses strings that are not times', () => {
    for (const text of NO_TIME) {
      assert.equal(parseTime(text), undefined, text);
      assert.equal(canonicalTime(text), undefined, text);
      assert.equal(canonicalMicroTime(text), undefined, text);
    }
    assert.equal(parseTime(`1999-01-02T03:04:05.${'1'.repeat(1_000_000)}Z`), undefined);
    assert.match(timeError('x', 'MicroTime'), /^parsing time "x" as "2006-01-02T15:04:05\.000000Z/);
  });
});

describe('MicroTime', () => {
  it('has exactly six fractional digits', () => {
    assert.equal(
      canonicalMicroTime('1999-01-02T05:05:00.500000+02:00'),
      '1999-01-02T03:05:00.500000Z',
    );
    assert.equal(parseMicroTime('1970-01-01T00:00:00.000006Z'), 6n);
    assert.equal(parseMicroTime('1969-12-31T23:59:59.999999Z'), -1n);
    for (const fraction of ['', '.5', '.123', '.12345', '.1234567', '.123456789']) {
      assert.equal(parseMicroTime(`1999-01-02T03:04:05${fraction}Z`), undefined, fraction);
    }
    assert.equal(microTimeOf(1_700_000_000_001), '2023-11-14T22:13:20.001000Z');
    assert.equal(microTimeOf(1_700_000_000_000.5), '2023-11-14T22:13:20.000500Z');
  });

  const [first, last] = [-62_167_219_200_000_000n, 253_402_300_799_999_999n];

  it('keeps every microsecond (property)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: first, max: last }), (micros) => {
        const text = formatMicroTime(micros);
        assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        assert.equal(parseMicroTime(text), micros);
        const seconds = Number(
          (micros - (((micros % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1000n,
        );
        assert.equal(parseTime(text), seconds);
        assert.equal(formatTime(seconds), `${text.slice(0, 19)}Z`);
      }),
    );
  });

  it('reads the same instant with every offset (property)', () => {
    const offset = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59));
    const inside = fc.bigInt({ min: first + 10n ** 12n, max: last - 10n ** 12n });
    fc.assert(
      fc.property(inside, offset, (micros, [sign, h, m]) => {
        const shift = BigInt((h * 60 + m) * 60) * 1_000_000n * (sign === '+' ? 1n : -1n);
        const two = (n: number): string => String(n).padStart(2, '0');
        const text = `${formatMicroTime(micros + shift).slice(0, -1)}${sign}${two(h)}:${two(m)}`;
        assert.equal(parseMicroTime(text), micros);
      }),
    );
  });
});

describe('humanDuration', () => {
  const S = 1000;
  const M = 60 * S;
  const H = 60 * M;
  const D = 24 * H;
  const Y = 365 * D;

  it('has two or three significant figures', () => {
    const cases: [number, string][] = [
      [-2 * S, '<invalid>'],
      [-2 * S + 1, '0s'],
      [0, '0s'],
      [999, '0s'],
      [99 * S, '99s'],
      [2 * M - 1, '119s'],
      [2 * M, '2m'],
      [2 * M + S, '2m1s'],
      [10 * M - 1, '9m59s'],
      [10 * M + S, '10m'],
      [47 * M, '47m'],
      [3 * H - 1, '179m'],
      [3 * H, '3h'],
      [3 * H + M, '3h1m'],
      [8 * H - 1, '7h59m'],
      [8 * H + 59 * M, '8h'],
      [2 * D - 1, '47h'],
      [2 * D, '2d'],
      [3 * D + 4 * H, '3d4h'],
      [8 * D - 1, '7d23h'],
      [8 * D + 23 * H, '8d'],
      [2 * Y - 1, '729d'],
      [2 * Y + 23 * H, '2y'],
      [2 * Y + 37 * D, '2y37d'],
      [8 * Y - 1, '7y364d'],
      [8 * Y + 364 * D, '8y'],
      [9 * Y, '9y'],
    ];
    for (const [ms, expected] of cases) assert.equal(humanDuration(ms), expected, String(ms));
  });

  it('formats the age of an object', () => {
    const now = Date.parse('2024-01-02T03:04:05Z');
    assert.equal(age('2024-01-02T03:00:05Z', now), '4m');
    assert.equal(age('2024-01-02T03:04:06Z', now), '0s');
    assert.equal(age('2025-01-02T03:04:06Z', now), '<invalid>');
    for (const unknown of [null, undefined, 'x', '0001-01-01T00:00:00Z']) {
      assert.equal(age(unknown, now), '<unknown>');
    }
  });
});
