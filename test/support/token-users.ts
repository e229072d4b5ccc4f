import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A token file in which `noisy` and `quiet` are users; they may do everything with these flags. */
export function tokenUsers(users: readonly string[]): {
  args: string[];
  as: (user: string) => { authorization: string };
} {
  const dir = mkdtempSync(join(tmpdir(), 'plinth-users-'));
  const file = join(dir, 'tokens.csv');
  const token = (user: string): string => `token-of-${user}-0123456789`;
  writeFileSync(file, users.map((user) => `${token(user)},${user},${user}\n`).join(''));
  return {
    args: ['--token-auth-file', file, '--authorization-mode', 'AlwaysAllow'],
    as: (user) => ({ authorization: `Bearer ${token(user)}` }),
  };
}
