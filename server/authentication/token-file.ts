import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { UserInfo } from '../../api/user.ts';
import { authenticated, type Authenticator } from './authenticator.ts';

interface Row {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/**
 * Static bearer tokens from a CSV file: `token,user,uid,"group1,group2"`.
 * Tokens are kept as digests and compared in constant time.
 *
 * @throws Error that names file and line when the file cannot be read
 */
export function tokenFile(file: string): Authenticator {
  const rows = parseTokens(readFileSync(file, 'utf8'), file);
  return {
    name: 'token-file',
    authenticate({ headers }) {
      const token = bearerToken(headers.authorization);
      if (token === undefined) return Promise.resolve(undefined);
      const digest = digestOf(token);
      let found: UserInfo | undefined;
      for (const row of rows) if (timingSafeEqual(row.digest, digest)) found = row.user;
      return found === undefined
        ? Promise.reject(new Error('unknown token'))
        : Promise.resolve(found);
    },
  };
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(header ?? '')?.[1];
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function parseTokens(text: string, file: string): Row[] {
  const rows: Row[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid = '', groups = ''] = splitCsv(line);
    if (token === '' || name === '') {
      throw new Error(`${file}, line ${i + 1}: expected token,user,uid[,"group1,group2"]`);
    }
    const list = groups.split(',').map((group) => group.trim());
    rows.push({
      digest: digestOf(token),
      user: authenticated({ name, uid, groups: list.filter((group) => group !== ''), extra: {} }),
    });
  }
  return rows;
}

/** Fields of one CSV line; quotes may hold commas, and quotes when doubled. */
function splitCsv(line: string): string[] {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"|([^,]*))\s*(?:,|$)/y;
  while (field.lastIndex < line.length) {
    const match = field.exec(line);
    if (match === null) break;
    fields.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
  }
  return fields;
}
