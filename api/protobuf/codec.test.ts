import assert from 'node:assert/strict';
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { ProtobufReader } from './reader.ts';
import { ProtobufWriter } from './writer.ts';

/** A message of every way of writing, read by an independent implementation. */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Part { string text = 1; repeated Part parts = 2; }
  message All {
    uint64 count = 1; bool flag = 2; double amount = 3; bytes data = 4;
    repeated string texts = 5; Part part = 300; fixed32 unknown = 7;
  }`);
const All = root.lookupType('All');

const values = fc.record({
  count: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
  flag: fc.boolean(),
  amount: fc.double({ noNaN: true, noDefaultInfinity: true }),
  data: fc.uint8Array({ maxLength: 50 }),
  texts: fc.array(fc.string({ unit: 'grapheme' })),
  part: fc.string(),
});

function written(value: typeof values extends fc.Arbitrary<infer T> ? T : never): Buffer {
  const writer = new ProtobufWriter(1);
  const outer = writer.mark();
  const inner = writer.mark();
  writer.text(1, value.part);
  writer.message(2, inner);
  writer.message(300, outer);
  for (const text of value.texts.toReversed()) writer.text(5, text);
  writer.bytes(4, value.data);
  writer.double(3, value.amount);
  writer.flag(2, value.flag);
  writer.integer(1, value.count);
  return writer.finish();
}

describe('the wire format of protobuf', () => {
  it('is interoperable with protobufjs in both directions', () => {
    fc.assert(
      fc.property(values, (value) => {
        const bytes = written(value);
        const { count, part, ...others } = All.toObject(All.decode(bytes), {
          longs: String,
          defaults: true,
        });
        assert.equal(count, String(value.count));
        assert.equal(part.parts[0].text, value.part);
        assert.equal(others['flag'], value.flag);
        assert.ok(Object.is(others['amount'], value.amount));
        assert.deepEqual(Buffer.from(others['data'] as Uint8Array), Buffer.from(value.data));
        assert.deepEqual(others['texts'], value.texts);

        const read = {
          count: 0n,
          flag: false,
          amount: 0,
          data: Buffer.alloc(0),
          texts: [''],
          part: '',
        };
        read.texts.pop();
        const reader = new ProtobufReader(bytes);
        for (let field = reader.next(); field !== 0; field = reader.next()) {
          if (field === 1) read.count = reader.bigint();
          else if (field === 2) read.flag = reader.boolean();
          else if (field === 3) read.amount = reader.double();
          else if (field === 4) read.data = Buffer.from(reader.bytes());
          else if (field === 5) read.texts.push(reader.text());
          else if (field === 300) {
            const within = reader.nested();
            assert.equal(within.next(), 2);
            read.part = within.message((innermost) => {
              assert.equal(innermost.next(), 1);
              return innermost.text();
            });
            assert.equal(within.next(), 0);
          } else reader.skip();
        }
        assert.deepEqual(read, { ...value, data: Buffer.from(value.data) });
      }),
    );
  });

  it('skips unknown fields of every wire type', () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, cut) => {
        const bytes = written(value);
        const skipAll = (part: Buffer): void => {
          const reader = new ProtobufReader(part);
          while (reader.next() !== 0) reader.skip();
        };
        skipAll(bytes);
        // what is cut off within a field is an error, never more bytes than there are
        try {
          skipAll(bytes.subarray(0, cut % (bytes.length + 1)));
        } catch (error) {
          assert.equal((error as Error).name, 'ProtobufError');
        }
      }),
    );
  });
});
