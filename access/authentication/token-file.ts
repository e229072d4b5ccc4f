import { readFileSync } from 'node:fs';
import type { UserInfo } from '../../api/user.ts';
import { authenticated, type TokenAuthenticator, type TokenOwner } from './authenticator.ts';
import { secretDigest } from './token-digest.ts';

/**
 * Static bearer tokens from a CSV file: `token,user,uid,"group1,group2"`. Only
 * digests of the tokens are kept.
 */
export class TokenFile implements TokenAuthenticator {
  readonly name = 'token-file';
  readonly file: string;
  #owners: ReadonlyMap<string, TokenOwner> = new Map();

  /** @throws Error that names file and line when the file cannot be read */
  constructor(file: string) {
    this.file = file;
    this.reload();
  }

  /** @throws Error that names file and line; the tokens before stay */
  reload(): void {
    this.#owners = parseTokens(readText(this.file), this.file);
  }

  authenticateToken(token: string): TokenOwner | undefined {
    return this.#owners.get(secretDigest(token));
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

function parseTokens(text: string, file: string): Map<string, TokenOwner> {
  const owners = new Map<string, TokenOwner>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [token = '', name = '', uid = '', groups = ''] = splitCsv(line);
    if (token === '' || name === '') {
      throw new Error(`${file}, line ${i + 1}: expected token,user,uid[,"group1,group2"]`);
    }
    const list = groups.split(',').map((group) => group.trim());
    const user: UserInfo = { name, uid, groups: list.filter((group) => group !== ''), extra: {} };
    owners.set(secretDigest(token), { user: authenticated(user), audiences: [] });
  }
  return owners;
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
