import { writeFileSync } from 'node:fs';
import { formatTime } from '../../api/time.ts';
import { kubeconfigText } from '../../access/pki/credentials.ts';
import { ApiClient } from './api-client.ts';
import { textOf } from './command.ts';
import { issuedUsers, issueUser, revokeUser, type IssuedUser } from './issued-users.ts';

const PRIVATE = 0o600;

/**
 * What an action of `plinth user` answers; undefined: there is no such action.
 *
 * @throws Error with one line for the operator
 */
export async function actOnUsers(
  action: string,
  name: string,
  options: Record<string, unknown>,
): Promise<string | undefined> {
  const api = new ApiClient(textOf(options, 'kubeconfig'));
  try {
    if (action === 'list' && name === '') return table(await issuedUsers(api));
    if (action === 'add' && name !== '') return await add(api, name, options);
    if (action === 'revoke' && name !== '') return await revoke(api, name);
    return undefined;
  } finally {
    api.close();
  }
}

async function add(
  api: ApiClient,
  user: string,
  options: Record<string, unknown>,
): Promise<string> {
  const { group, days } = options;
  const groups = Array.isArray(group) ? group.map(String) : [];
  const expirationSeconds = typeof days === 'number' ? days * 24 * 3600 : undefined;
  const pair = await issueUser(api, { user, groups, expirationSeconds });
  const file = textOf(options, 'out') || `${user.replaceAll(/[^\w.@-]/g, '_')}.kubeconfig`;
  const { authorities = '' } = api.server.endpoint;
  const text = kubeconfigText(user, api.url, authorities, pair);
  writeFileSync(file, text, { mode: PRIVATE });
  return `${file} lets ${user} sign in. Rights come from roles: kubectl create rolebinding … --user ${user}\n`;
}

async function revoke(api: ApiClient, user: string): Promise<string> {
  const count = await revokeUser(api, user);
  if (count === 0) throw new Error(`${user} has no valid certificate that this API has issued`);
  return `${count} of the certificates of ${user} are revoked; open streams end within 30 seconds.\n`;
}

function table(users: readonly IssuedUser[]): string {
  const rows = users.map(({ user, groups, validTo, isRevoked, request }) => [
    user,
    groups.join(',') || '<none>',
    formatTime(validTo),
    isRevoked ? 'Revoked' : 'Valid',
    request,
  ]);
  const all = [['USER', 'GROUPS', 'VALID UNTIL', 'STATE', 'REQUEST'], ...rows];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0))) ?? [];
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('   ')
      .trimEnd();
  return `${all.map(line).join('\n')}\n`;
}
