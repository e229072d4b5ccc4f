import {
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTPayload,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
} from 'jose';
import type { KeySet } from './key-set.ts';

/** Keys that are tried for a token that names none. */
const MAX_KEYS_TRIED = 16;

/**
 * The claims of a token that one of the issuer's keys has signed. A token need
 * not name its key: then every one that fits is tried, and newer ones if none
 * of them is it.
 *
 * @throws JOSEError, or Error when the keys cannot be had
 */
export async function verifyToken(
  token: string,
  keys: KeySet,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return await verifiedBy(keys.find, token, options);
  } catch (error) {
    const isBySomeOther = error instanceof errors.JWSSignatureVerificationFailed;
    if (!isBySomeOther || namesKey(token) || !(await keys.renew())) throw error;
    return verifiedBy(keys.find, token, options);
  }
}

async function verifiedBy(
  find: JWTVerifyGetKey,
  token: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, find, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    let tried = 0;
    for await (const key of error) {
      if (++tried > MAX_KEYS_TRIED) break;
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}

function namesKey(token: string): boolean {
  return decodeProtectedHeader(token).kid !== undefined;
}
