import { isObject, type JsonValue } from '../api/json.ts';
import { JsonSyntaxError } from '../api/json-error.ts';
import { parseJson } from '../api/json-parse.ts';
import { CONTINUE_TOKEN_VERSION as VERSION } from '../api/naming.ts';
import { revisionOf, type Revision } from '../api/revision.ts';

/*
 * The opaque `continue` token of a paged list: base64url without padding of
 * `{"v":"meta.k8s.io/v1","rv":N,"start":"<key below the prefix>\u0000"}`. `rv` -1
 * goes on at the current revision, which is the token that comes with a 410.
 * Source: behaviours 4.2 and 4.3.
 */

/** A token longer than this cannot name a key that the registry holds. */
const MAX_TOKEN_LENGTH = 8192;

interface ListPosition {
  /** The list goes on with the first key after this one. */
  readonly after: string;
  /** Revision of the pages before; undefined goes on at the current revision. */
  readonly revision: Revision | undefined;
}

type DecodedToken =
  | ({ readonly ok: true } & ListPosition)
  /** `message` reads `continue key is not valid: …`, for a 400 (`invalid continue token: <message>`). */
  | { readonly ok: false; readonly message: string };

/** The token that goes on after `position.after`, a key under `prefix`. */
export function encodeContinueToken(prefix: string, position: ListPosition): string {
  if (!position.after.startsWith(prefix)) {
    throw new Error(`a list under ${prefix} cannot go on after ${position.after}`);
  }
  const start = JSON.stringify(`${position.after.slice(prefix.length)}\u0000`);
  const text = `{"v":"${VERSION}","rv":${position.revision ?? -1n},"start":${start}}`;
  return Buffer.from(text, 'utf8').toString('base64url');
}

/**
 * Reads a token that a client sent. It may hold anything: the position is
 * always under `prefix`, whatever path the token spells.
 */
export function decodeContinueToken(prefix: string, token: string): DecodedToken {
  if (token.length > MAX_TOKEN_LENGTH) return invalid('it is too long');
  const misplaced = firstByteOutsideBase64(token);
  if (misplaced !== undefined) {
    return invalid(`illegal base64 data at input byte ${misplaced}`);
  }
  const text = Buffer.from(token, 'base64url').toString('utf8');
  const start = firstCharacter(token);
  if (start !== undefined && !'{["-0123456789tfn'.includes(start)) {
    return invalid(`invalid character ${quoted(start)} looking for beginning of value`);
  }
  try {
    return readPosition(prefix, parseJson(text).value);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return invalid('unexpected end of JSON input');
    throw error;
  }
}

function readPosition(prefix: string, value: JsonValue): DecodedToken {
  if (!isObject(value)) return invalid('it is not an object');
  const { v, rv, start } = value;
  if (v !== VERSION) {
    const version = typeof v === 'string' ? v : '';
    return invalid(`server does not recognize this encoded version ${JSON.stringify(version)}`);
  }
  const revision = integer(rv);
  if (revision === undefined || revision === 0n) {
    return invalid(`incorrect encoded start resourceVersion (version ${VERSION})`);
  }
  if (typeof start !== 'string' || start === '') {
    return invalid(`encoded start key empty (version ${VERSION})`);
  }
  // a leading slash counts for nothing: what follows it is under the prefix all the same
  const after = start.slice(start.startsWith('/') ? 1 : 0, -1);
  if (!start.endsWith('\u0000') || !isCleanRelativePath(after)) {
    return invalid(JSON.stringify(start).slice(1, -1));
  }
  return {
    ok: true,
    after: prefix + after,
    revision: revision < 0n ? undefined : revisionOf(revision),
  };
}

/** No part of the path may be empty, `.` or `..`: the key could leave the prefix otherwise. */
function isCleanRelativePath(path: string): boolean {
  if (path.includes('\u0000') || !path.isWellFormed()) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
}

function integer(value: JsonValue | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  return Number.isSafeInteger(value) ? BigInt(value as number) : undefined;
}

function invalid(reason: string): DecodedToken {
  return { ok: false, message: `continue key is not valid: ${reason}` };
}

/** Offset of the first byte that cannot be decoded, as Go's base64.RawURLEncoding reports it. */
function firstByteOutsideBase64(token: string): number | undefined {
  const misplaced = /[^A-Za-z0-9_-]/.exec(token);
  if (misplaced !== null) return misplaced.index;
  // One character alone holds six bits: not a byte.
  return token.length % 4 === 1 ? token.length - 1 : undefined;
}

/** The first character behind white space, read byte by byte as Go's JSON scanner does. */
function firstCharacter(token: string): string | undefined {
  return /[^ \t\r\n]/.exec(Buffer.from(token, 'base64url').toString('latin1'))?.[0];
}

function quoted(character: string): string {
  if (character === "'") return `'\\''`;
  const code = character.charCodeAt(0);
  const printable = (code >= 0x20 && code < 0x7f) || (code > 0xa0 && code !== 0xad);
  if (printable) return `'${character === '\\' ? '\\\\' : character}'`;
  return code < 0x80
    ? `'\\x${code.toString(16).padStart(2, '0')}'`
    : `'\\u${code.toString(16).padStart(4, '0')}'`;
}
