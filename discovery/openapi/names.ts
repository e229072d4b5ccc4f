import type { GroupVersion, GroupVersionKind } from '../../api/group-version.ts';

/** Names in published documents: of schemas, operations and tags. */

/** `example.com`, `v1`, `Widget` → `com.example.v1.Widget`: how schemas of custom resources are named. */
export function schemaName({ group, version, kind }: GroupVersionKind): string {
  return [...group.split('.').reverse(), version, kind].join('.');
}

/** The schema of the same struct in the documents of aliases, which stand next to the others in OpenAPI 2. */
export function aliasSchemaName(name: string): string {
  return name.replace(/^io\.cluster\./, 'io.k8s.');
}

const PROJECT_DOMAIN = '.cluster.io';

/** `stable.example.com` → `StableExampleCom`; groups of the project without their domain, the core as `Core`. */
function groupWord(group: string): string {
  if (group === '') return 'Core';
  const short = group.endsWith(PROJECT_DOMAIN) ? group.slice(0, -PROJECT_DOMAIN.length) : group;
  return short
    .split(/[^A-Za-z0-9]+/)
    .map(capitalised)
    .join('');
}

/** `stableExampleCom_v1` */
export function tagOf({ group, version }: GroupVersion): string {
  const word = groupWord(group);
  return `${word.charAt(0).toLowerCase()}${word.slice(1)}_${version}`;
}

/** `list` + `NamespacedWidget` → `listStableExampleComV1NamespacedWidget`: unique over all documents. */
export function operationId(verb: string, { group, version }: GroupVersion, what: string): string {
  return `${verb}${groupWord(group)}${capitalised(version)}${what}`;
}

/** With its first UTF-16 unit in upper case; words here are ASCII. */
export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `#/components/schemas/com.example.v1.Widget` */
export function schemaRef(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
