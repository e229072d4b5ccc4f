import { badRequest } from '../../api/api-error.ts';
import { setOwn } from '../../api/json.ts';
import type { UserInfo } from '../../api/user.ts';
import { headersWithPrefix, headerValues, removeHeaders } from '../../http/header-values.ts';
import type { ApiRequest } from '../../http/message.ts';
import { decodedKey } from './front-proxy.ts';

const PREFIX = 'impersonate-';

/** Does the request carry any such header? Cheap, because nearly none does. */
export function wantsToImpersonate({ headers }: ApiRequest): boolean {
  for (const name in headers) {
    if (name.startsWith(PREFIX) && headers[name] !== undefined) return true;
  }
  return false;
}

/** Removes those headers, so that later stages see the impersonated user only. */
export function stripImpersonation(request: ApiRequest): void {
  removeHeaders(request, (name) => name.startsWith(PREFIX));
}

/**
 * The user that the headers of a request ask for, exactly as they say it.
 * Undefined: none is asked for. Source: behaviours 10.3.
 *
 * @throws ApiError 400 when they say more about a user than its name, but not its name
 */
export function impersonatedUser(request: ApiRequest): UserInfo | undefined {
  const name = headerValues(request, 'impersonate-user')[0] ?? '';
  const uid = headerValues(request, 'impersonate-uid')[0] ?? '';
  const groups = headerValues(request, 'impersonate-group');
  const extra: Record<string, string[]> = {};
  for (const [key, values] of headersWithPrefix(request, 'impersonate-extra-')) {
    setOwn(extra, decodedKey(key), values);
  }
  if (name !== '') return { name, uid, groups, extra };
  if (uid === '' && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw badRequest(
    `requested ${shown({ name, uid, groups, extra })} without impersonating a user name`,
  );
}

/** As Go prints it, which clients have always seen. */
function shown({ name, uid, groups, extra }: UserInfo): string {
  const texts = (values: readonly string[]): string =>
    `[]string${values.length === 0 ? '(nil)' : `{${values.map((v) => JSON.stringify(v)).join(', ')}}`}`;
  const entries = Object.entries(extra);
  const fields = entries.map(([key, values]) => `${JSON.stringify(key)}:${texts(values)}`);
  const map = `map[string][]string${entries.length === 0 ? '(nil)' : `{${fields.join(', ')}}`}`;
  return `&user.DefaultInfo{Name:${JSON.stringify(name)}, UID:${JSON.stringify(uid)}, Groups:${texts(groups)}, Extra:${map}}`;
}
