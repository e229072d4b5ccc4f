import { aliasGroup } from './naming.ts';
import { extensionKey } from './schema-extensions.ts';
import type { Status, StatusCause } from './status.ts';

/*
 * What the server says of objects, for a client that knows them by the alias of
 * their group: messages name kinds, groups and fields of schemas.
 */

const patterns = new Map<string, RegExp>();

/** The group as a whole word: behind a resource and a dot, in quotes, before a version. */
function patternOf(group: string): RegExp {
  let pattern = patterns.get(group);
  if (pattern === undefined) {
    const literal = group.replaceAll('.', String.raw`\.`);
    pattern = new RegExp(String.raw`(?<![\w-])${literal}(?![\w.-])`, 'g');
    patterns.set(group, pattern);
  }
  return pattern;
}

const EXTENSION = /\bx-cluster-[a-z-]+/g;

/** The text with the alias of `group` and Kubernetes' spelling of extension keys. */
export function aliasText(text: string, group: string): string {
  return text
    .replace(patternOf(group), aliasGroup(group))
    .replace(EXTENSION, (key) => extensionKey(key, 'kubernetes'));
}

/** The status of a request on an object of `group`, as a client of the alias is told it. */
export function aliasStatus(status: Status, group: string): Status {
  const { message, details } = status;
  const said = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : aliasText(text, group);
  const shown: Status = { ...status };
  if (message !== undefined) shown.message = aliasText(message, group);
  if (details === undefined) return shown;
  shown.details = { ...details };
  if (details.group === group) shown.details.group = aliasGroup(group);
  if (details.causes !== undefined) {
    shown.details.causes = details.causes.map((cause): StatusCause => {
      const { message: why, field } = cause;
      return {
        ...cause,
        ...(why === undefined ? {} : { message: said(why) ?? why }),
        ...(field === undefined ? {} : { field: said(field) ?? field }),
      };
    });
  }
  return shown;
}
