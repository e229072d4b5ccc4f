import assert from 'node:assert/strict';
import {
  boolean,
  bytes,
  int32,
  intOrString,
  json,
  list,
  map,
  quantity,
  raw,
  string,
  struct,
  time,
  use,
} from './dsl.ts';
import type { ValueOf } from './shape.ts';
import { decodeTyped } from './typed/decode-at-once.ts';

const Inner = struct('test.Inner', { name: string({ required: true }), note: string() });
const Every = struct('test.Every', {
  text: string(),
  requiredText: string({ required: true }),
  pointerText: string({ pointer: true }),
  requiredPointer: string({ required: true, pointer: true }),
  keptPointer: string({ required: true, pointer: true, omit: 'empty' }),
  flag: boolean({ required: true }),
  count: int32({ omit: 'never' }),
  data: bytes(),
  requiredData: bytes({ required: true }),
  at: time(),
  pointerAt: time({ pointer: true }),
  zeroAt: time({ omit: 'zero' }),
  amount: quantity(),
  port: intOrString(),
  any: json(),
  object: raw({ pointer: true }),
  items: list(string()),
  requiredItems: list(string(), { required: true }),
  table: map(string()),
  keptTable: map(string(), { omit: 'never' }),
  inner: use(Inner, {}),
  pointerInner: use(Inner, { pointer: true }),
  zeroInner: use(Inner, { omit: 'zero' }),
});

describe('what TypeScript knows of a schema', () => {
  // the compiler refuses a field too many or too few, and a null where there is none
  it('is what decoding makes of nothing', () => {
    const zero: ValueOf<typeof Every> = {
      requiredText: '',
      requiredPointer: null,
      flag: false,
      count: 0,
      requiredData: null,
      at: null,
      amount: '0',
      port: 0,
      any: null,
      requiredItems: null,
      keptTable: null,
      inner: { name: '' },
    };
    assert.deepEqual(decodeTyped({}, Every).value, zero);
  });

  it('is what decoding makes of everything', () => {
    const full: Required<ValueOf<typeof Every>> = {
      text: 'a',
      requiredText: 'b',
      pointerText: '',
      requiredPointer: 'c',
      keptPointer: 'd',
      flag: true,
      count: 1,
      data: 'YQ==',
      requiredData: 'Yg==',
      at: '2026-01-01T00:00:00Z',
      pointerAt: '2026-01-01T00:00:00Z',
      zeroAt: '2026-01-01T00:00:00Z',
      amount: '1',
      port: 'http',
      any: [1],
      object: { a: 1 },
      items: ['x'],
      requiredItems: ['y'],
      table: { k: 'v' },
      keptTable: { k: 'w' },
      inner: { name: 'n', note: 'o' },
      pointerInner: { name: 'n' },
      zeroInner: { name: 'n' },
    };
    assert.deepEqual(decodeTyped(full, Every).value, full);
  });
});
