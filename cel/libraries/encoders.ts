import { declareFunction, globalOverload } from '../types/declaration.ts';
import { BYTES, STRING } from '../value/type.ts';
import { sizeOf, walkCost } from '../value/size.ts';
import { CelBytes, CelError, type CelValue } from '../value/value.ts';
import { walkEstimate } from '../cost/estimators.ts';
import type { Library } from './library.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Bytes of base64 text, with or without its padding; line breaks are not part of it. */
function decodeBase64(text: string): CelBytes | undefined {
  const compact = text.replace(/[\r\n]/g, '');
  if (!BASE64.test(compact)) return undefined;
  const padding = compact.length - compact.replace(/=+$/, '').length;
  const digits = compact.length - padding;
  if (digits % 4 === 1 || (padding > 0 && compact.length % 4 !== 0)) return undefined;
  return new CelBytes(Buffer.from(compact, 'base64'));
}

function decode(text: string): CelValue {
  return decodeBase64(text) ?? new CelError('illegal base64 data');
}

const walk = {
  cost: (value: CelValue): number => walkCost(sizeOf(value)),
  estimate: walkEstimate(),
};

/** Base64. */
export const ENCODERS_LIBRARY: Library = {
  functions: [
    declareFunction(
      'base64.decode',
      globalOverload('base64_decode_string', [STRING], BYTES, decode, walk),
    ),
    declareFunction(
      'base64.encode',
      globalOverload(
        'base64_encode_bytes',
        [BYTES],
        STRING,
        (bytes) => Buffer.from(bytes.value).toString('base64'),
        walk,
      ),
    ),
  ],
};
