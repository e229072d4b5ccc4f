import { decodeJwt } from 'jose';
import type { JsonObject } from '../../../api/json.ts';

/** Who says that it has made the token, before that is verified; undefined: it is not a JSON Web Token. */
export function issuerOf(token: string): string | undefined {
  if (token.split('.', 4).length !== 3) return undefined;
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

/** The audiences of a token's claims: a string, or a list of which only strings count. */
export function audiencesOf({ aud }: JsonObject): string[] {
  return (Array.isArray(aud) ? aud : [aud]).filter((item) => typeof item === 'string');
}
