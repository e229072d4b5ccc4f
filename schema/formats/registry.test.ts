import assert from 'node:assert/strict';
import { testFormats, type FormatCases } from '../testing/format-cases.ts';
import { isKnownFormat, stringFormat } from './registry.ts';

const CASES: FormatCases = {
  bsonobjectid: [
    ['507f1f77bcf86cd799439011', 'FFFFFFFFFFFFFFFFFFFFFFFF'],
    ['', '507f1f77bcf86cd79943901', '507f1f77bcf86cd7994390111', '507f1f77bcf86cd79943901g'],
  ],
  byte: [
    ['QUJD', 'aGVsbG8=', 'AQIDBA==', '+/+/'],
    ['', 'aGVsbG8', 'aGVsbG8==', '-_-_', 'QUJ D', 'QUJD\n', '====', 'a'],
  ],
  creditcard: [
    [
      '4111111111111111',
      '4111-1111-1111-1111',
      '5500 0000 0000 0004',
      '378282246310005',
      '6011111111111117',
    ],
    ['', '4111111111111112', '411111111111111', '1234567812345670', 'card'],
  ],
  date: [
    ['2024-02-29', '0001-01-01', '1999-12-31'],
    [
      '',
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-1-1',
      '24-01-01',
      '2024-01-01T00:00:00Z',
      ' 2024-01-01',
    ],
  ],
  'date-time': [
    [
      '2024-01-02T03:04:05Z',
      '2024-01-02t03:04:05z',
      '2024-01-02T03:04:05.123456789+02:00',
      '2024-01-02T23:59:59-11:30',
      '2024-01-02T03:04:05Zt',
      '2024-01-02T03:04:05😀5Z',
    ],
    [
      '',
      '2024-01-02',
      '2024-01-02 03:04:05Z',
      '2024-01-02T24:00:00Z',
      '2024-01-02T03:60:00Z',
      '2024-01-02T03:04:60Z',
      '2024-01-02T03:04:05',
      '2023-02-29T00:00:00Z',
      '2024-01-02Tt03:04:05Z',
    ],
  ],
  duration: [
    [
      '1h30m',
      '1.5h',
      '-2s',
      '0',
      '22 ns',
      '1d',
      '2 days',
      '3 weeks',
      '1 hour 5 minutes',
      '10µs',
      '5 SECONDS',
    ],
    ['', '5', 'soon', 'h', '1 fortnight', '99999999999999999999 days', '1.'],
  ],
  hexcolor: [
    ['#FFFFFF', 'fff', '#a1B2c3'],
    ['', '#ffff', '##fff', '#ggg', '#fff\n'],
  ],
  isbn: [
    ['0321751043', '978-0321751041', '0-321-75104-3', '080442957X'],
    ['', '0321751044', '9780321751042', '032175104'],
  ],
  isbn10: [
    ['0321751043', '0-8044-2957-X'],
    ['', '9780321751041', '0321751044', '08044X2957'],
  ],
  isbn13: [
    ['9780321751041', '978 0321751041'],
    ['', '0321751043', '9780321751042'],
  ],
  'k8s-long-name': [
    ['a', 'a.b-c.d', `${'a'.repeat(100)}.b`],
    ['', 'A', 'a..b', '-a', 'a.', 'a'.repeat(254)],
  ],
  'k8s-short-name': [
    ['a', 'a-b', '1a'],
    ['', 'A', 'a.b', '-a', 'a-', 'a'.repeat(64)],
  ],
  password: [['', 'any text\n'], []],
  rgbcolor: [
    ['rgb(0,0,0)', 'rgb(255, 255, 255)', 'rgb( 1, 20 ,200 )'],
    [
      '',
      'rgb(256,0,0)',
      'rgb(01,2,3)',
      'rgb(1,2)',
      'RGB(1,2,3)',
      'rgba(0,0,0,1)',
      'rgb(1,2,3) ',
      'rgb(260,1,1)',
    ],
  ],
  ssn: [
    ['123-45-6789', '123 45 6789', '123-45 6789', '123456789'],
    [
      '',
      '12345678',
      '1234567890',
      '123-456789',
      '12345 6789',
      '12-345-6789',
      '123-45-678',
      '123--45-6789',
      'abc-de-fghi',
    ],
  ],
  uuid: [
    [
      '123e4567-e89b-12d3-a456-426614174000',
      '123E4567E89B12D3A456426614174000',
      '123e4567-e89b12d3a456-426614174000',
    ],
    [
      '',
      '123e4567-e89b-12d3-a456-42661417400',
      '{123e4567-e89b-12d3-a456-426614174000}',
      '123e-4567-e89b-12d3-a456-426614174000',
    ],
  ],
  uuid3: [
    ['bcd02e22-68f0-3046-a512-327cca9def8f', 'bcd02e22-68f0-3046-0512-327cca9def8f'],
    ['bcd02e22-68f0-4046-a512-327cca9def8f'],
  ],
  uuid4: [
    ['025b0d74-00a2-4048-bf57-227c5111bb34'],
    ['025b0d74-00a2-4048-cf57-227c5111bb34', '025b0d74-00a2-1048-bf57-227c5111bb34'],
  ],
  uuid5: [
    ['886313e1-3b8a-5372-9b90-0c9aee199e5d'],
    ['886313e1-3b8a-5372-cb90-0c9aee199e5d', '886313e1-3b8a-4372-9b90-0c9aee199e5d'],
  ],
};

describe('formats', () => {
  testFormats(CASES);

  it('go by their names without dashes, and by no other name', () => {
    assert.equal(stringFormat('datetime'), stringFormat('date-time'));
    for (const name of ['ip', 'colour', 'Date', 'int32', 'constructor', '']) {
      assert.equal(stringFormat(name), undefined);
    }
  });

  it('are known for the types they apply to', () => {
    assert.ok(isKnownFormat('date-time', 'string') && isKnownFormat('ipv4', ''));
    assert.ok(isKnownFormat('int32', 'integer') && isKnownFormat('double', 'number'));
    assert.ok(!isKnownFormat('int32', 'number') && !isKnownFormat('date', 'integer'));
    assert.ok(!isKnownFormat('date', 'object') && !isKnownFormat('int64', 'string'));
  });
});
