import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** One document of a manifest, as it is written in its file. */
export interface Manifest {
  /** From the folder of its project. */
  readonly path: string;
  readonly text: string;
  readonly object: Readonly<Record<string, any>>;
}

/** What a project brings. */
interface Project {
  readonly name: string;
  readonly definitions: readonly Manifest[];
  /** Objects of kinds that a definition of any project has, from folders of samples. */
  readonly samples: readonly Manifest[];
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_ALIASES = 10_000;
/** Folders of objects for people to start from. */
const SAMPLES = /(?:^|[/_-])(?:samples?|examples?)(?:[/_-]|$)/i;
/** Folders whose manifests are of other projects, or are meant to be changed or refused. */
const TESTS =
  /(?:^|[/_-])(?:tests?|testdata|third|vendor|e2e|fixtures|invalid|bad|disallowed|templates?)(?:[/_-]|$)/i;

/** The definitions and samples of every project, each of which is a folder in `root`. */
export function readProjects(root: string): Project[] {
  const found = readdirSync(root)
    .sort()
    .map((name) => ({ name, manifests: [...manifestsIn(join(root, name))] }));
  const definitions = firstOfEach(found.flatMap(({ manifests }) => manifests.filter(isDefinition)));
  const kinds = new Set([...definitions].flatMap(kindsOf));
  return found.map(({ name, manifests }) => ({
    name,
    definitions: manifests.filter((manifest) => definitions.has(manifest)),
    samples: manifests.filter((manifest) => isSample(manifest, kinds)),
  }));
}

/** Projects keep copies of definitions, also of others': those that are for tests come last. */
function firstOfEach(manifests: readonly Manifest[]): ReadonlySet<Manifest> {
  const isForTests = ({ path }: Manifest): number => (TESTS.test(path) ? 1 : 0);
  const byName = new Map<unknown, Manifest>();
  for (const manifest of [...manifests].sort((a, b) => isForTests(a) - isForTests(b))) {
    const { name } = manifest.object['metadata'];
    if (!byName.has(name)) byName.set(name, manifest);
  }
  return new Set(byName.values());
}

function isDefinition({ object }: Manifest): boolean {
  return (
    object['kind'] === 'CustomResourceDefinition' &&
    object['apiVersion'] === 'apiextensions.k8s.io/v1' &&
    Array.isArray(object['spec']?.versions) &&
    typeof object['metadata']?.name === 'string'
  );
}

function kindsOf({ object: { spec } }: Manifest): string[] {
  return spec.versions.map(
    ({ name }: { name: string }) => `${spec.group}/${name} ${spec.names.kind}`,
  );
}

function isSample({ path, object }: Manifest, kinds: ReadonlySet<string>): boolean {
  return (
    kinds.has(`${object['apiVersion']} ${object['kind']}`) &&
    typeof object['metadata']?.name === 'string' &&
    SAMPLES.test(path) &&
    !TESTS.test(path)
  );
}

function* manifestsIn(folder: string): Generator<Manifest, void> {
  for (const path of filesIn(folder, '')) {
    const text = readFileSync(join(folder, path), 'utf8');
    for (const part of text.split(/^---.*$/m)) {
      // templates of charts are left out
      if (!/^apiVersion:/m.test(part) || /^\s*\{\{/m.test(part)) continue;
      const object = objectOf(part);
      if (object !== undefined) yield { path, text: part, object };
    }
  }
}

function objectOf(text: string): Record<string, any> | undefined {
  try {
    const [document] = parseAllDocuments(text, { logLevel: 'silent' });
    const value: unknown = document?.toJS({ maxAliasCount: MAX_ALIASES });
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function* filesIn(root: string, folder: string): Generator<string, void> {
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== '.git') yield* filesIn(root, path);
    } else if (entry.isFile() && /\.ya?ml$/.test(entry.name)) {
      if (statSync(join(root, path)).size <= MAX_FILE_BYTES) yield path;
    }
  }
}
