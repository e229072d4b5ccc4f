import assert from 'node:assert/strict';
import fc from 'fast-check';
import { HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
function read(decoder: HpackDecoder, block: Buffer): [string, string][] {
  const fields: [string, string][] = [];
  decoder.decode(block, (name, value) => fields.push([name, value]));
  return fields;
}
const isHpackError = ({ name }: Error): boolean => name === 'HpackError';

describe('heads of HTTP/2', () => {
  it('are read as in the examples of RFC 7541, which remember what was sent before', () => {
    const plain = [
      '8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d',
      '8286 84be 5808 6e6f 2d63 6163 6865',
      '8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65',
    ];
    const coded = [
      '8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff',
      '8286 84be 5886 a8eb 1064 9cbf',
      '8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf',
    ];
    for (const blocks of [plain, coded]) {
      const decoder = new HpackDecoder();
      const seen = blocks.map((block) => read(decoder, hex(block)));
      assert.deepEqual(seen, [
        [
          [':method', 'GET'],
          [':scheme', 'http'],
          [':path', '/'],
          [':authority', 'www.example.com'],
        ],
        [
          [':method', 'GET'],
          [':scheme', 'http'],
          [':path', '/'],
          [':authority', 'www.example.com'],
          ['cache-control', 'no-cache'],
        ],
        [
          [':method', 'GET'],
          [':scheme', 'https'],
          [':path', '/index.html'],
          [':authority', 'www.example.com'],
          ['custom-key', 'custom-value'],
        ],
      ]);
    }
  });

  it('forget the oldest when the table is full, as in the examples of RFC 7541', () => {
    const decoder = new HpackDecoder();
    // The table gets 256 bytes, as in appendix C.6.
    const first = read(
      decoder,
      hex(
        '3fe101 4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6' +
          '2d1b ff6e 919d 29ad 1718 63c7 8f0b 97c8 e9ae 82ae 43d3',
      ),
    );
    assert.deepEqual(first, [
      [':status', '302'],
      ['cache-control', 'private'],
      ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
      ['location', 'https://www.example.com'],
    ]);
    const second = read(decoder, hex('4883 640e ffc1 c0bf'));
    assert.deepEqual(second, [
      [':status', '307'],
      ['cache-control', 'private'],
      ['date', 'Mon, 21 Oct 2013 20:13:21 GMT'],
      ['location', 'https://www.example.com'],
    ]);
    // The status of the first answer was forgotten for that of the second.
    assert.throws(() => read(decoder, hex('c2')), isHpackError);
  });

  it('are read as they are written, the first time and later, by a peer with any table', () => {
    const text = fc.string({ unit: 'binary-ascii', maxLength: 300 });
    const field = fc.record({ name: text, value: text, secret: fc.boolean() });
    const heads = fc.array(fc.array(field, { maxLength: 8 }), { minLength: 1, maxLength: 6 });
    const table = fc.option(fc.nat({ max: 5_000 }), { nil: undefined });
    fc.assert(
      fc.property(heads, table, fc.array(fc.nat()), (all, bytes, order) => {
        const encoder = new HpackEncoder();
        const decoder = new HpackDecoder();
        if (bytes !== undefined) encoder.limit(bytes);
        for (const i of [0, ...order]) {
          const fields = all[i % all.length]!;
          const expected = fields.map(({ name, value }) => [name, value]);
          assert.deepEqual(read(decoder, encoder.encode(fields)), expected);
        }
      }),
    );
  });

  it('are refused with one kind of error, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          read(new HpackDecoder(), Buffer.from(bytes));
        } catch (error) {
          assert.ok(isHpackError(error as Error), String(error));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  const broken: [string, string][] = [
    ['a number that does not end', '7fffffffffffffff'],
    ['a text that is longer than its block', '000a61'],
    ['the number 0', '80'],
    ['an entry that does not exist', 'be'],
    ['a table that is too large', '3fe1ff03'],
    ['a text that is filled up with zeros', '0001618100'],
    ['a text that is filled up with a whole byte', '000161821fff'],
    ['the code that ends a text', '00016184ffffffff'],
  ];
  for (const [what, block] of broken) {
    it(`are refused with ${what}`, () => {
      assert.throws(() => read(new HpackDecoder(), hex(block)), isHpackError);
    });
  }
});
