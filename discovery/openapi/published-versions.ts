import { createHash } from 'node:crypto';
import type { GroupVersion } from '../../api/group-version.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { DiscoveredGroup } from '../groups.ts';
import { gitVersion } from '../version.ts';

/** A group and version with what it serves: what one document of OpenAPI 3 is about. */
export interface PublishedVersion extends GroupVersion {
  /** `api/v1` or `apis/<group>/<version>`: its place below `/openapi/v3`. */
  readonly path: string;
  readonly resources: readonly ServedResource[];
  /**
   * Names the content of the document without making it. Undefined where built-in
   * kinds are part of it: then the content itself is hashed.
   */
  readonly fingerprint: string | undefined;
}

/** Versions by their path; one that has not changed stays the very object that it was in `before`. */
export function publishedVersions(
  groups: readonly DiscoveredGroup[],
  before: ReadonlyMap<string, PublishedVersion>,
): Map<string, PublishedVersion> {
  const versions = new Map<string, PublishedVersion>();
  for (const { name: group, versions: all } of groups) {
    for (const { version, resources, remote } of all) {
      // what another server answers for it describes, too
      if (resources.length === 0 || remote !== undefined) continue;
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      const old = before.get(path);
      const isUnchanged = old !== undefined && sameResources(old.resources, resources);
      versions.set(
        path,
        isUnchanged
          ? old
          : { group, version, path, resources, fingerprint: fingerprintOf(resources) },
      );
    }
  }
  return versions;
}

function sameResources(a: readonly ServedResource[], b: readonly ServedResource[]): boolean {
  if (a.length !== b.length) return false;
  return a.every(
    ({ definition, version }, i) => definition === b[i]?.definition && version === b[i].version,
  );
}

/**
 * The same on every server for the same definitions, so that clients may ask any
 * of them for the document that another one has named.
 */
function fingerprintOf(resources: readonly ServedResource[]): string | undefined {
  const hash = createHash('sha512').update(gitVersion());
  for (const { definition, version } of resources) {
    const { custom, names, verbs } = definition;
    if (custom === undefined) return undefined;
    const { uid, generation, terminating } = custom;
    hash.update(JSON.stringify([uid, generation, terminating, version.name, names, verbs]));
  }
  return hash.digest('hex').toUpperCase();
}
