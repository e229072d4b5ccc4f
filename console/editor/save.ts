import { exactText, parseExact } from '../../client/exact.ts';
import { getJson, getYaml, Refused } from '../api/http.ts';
import { textAt, type Json } from '../api/json.ts';
import { pathOf, type Kind } from '../api/kind.ts';
import { kindSchema } from '../schema/documents.ts';
import { itemOf, propertyOf, resolved } from '../schema/schema.ts';
import {
  dataAt,
  isDataMap,
  own,
  put,
  without,
  type Data,
  type DataMap,
  type Path,
} from './data.ts';
import { readText } from './document.ts';
import { sendText } from './send-text.ts';
import { parseFieldPath } from './field-path.ts';
import { clashesOf, merged, samePath, type ListKeys } from './merge.ts';
import { MANAGER, ownedFields, planOf, type Plan } from './plan.ts';

/** An object that is edited. */
interface Target {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
}

/** A field that someone else has a say in. */
export interface Conflict {
  readonly path: Path | undefined;
  /** The path as text; names the conflict. */
  readonly field: string;
  readonly owner: string;
  readonly mine: Data | undefined;
  readonly theirs: Data | undefined;
}

export type Choice = 'mine' | 'theirs';

/** What came of a try to save. */
export type Outcome =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'conflicts'; readonly conflicts: readonly Conflict[] }
  | {
      readonly kind: 'ready';
      readonly before: string;
      readonly after: string;
      readonly how: 'apply' | 'replace';
      readonly warnings: readonly string[];
    }
  | { readonly kind: 'saved'; readonly object: Json };

const YAML = 'application/yaml';
/** The owner of what has changed on the server while one was typing. */
const CHANGED = 'changed on the server since you began';
/** What the server sets; what is typed there has no effect. */
const OF_SERVER = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
];

/** The object as text to edit. @throws Refused, Unreachable */
export async function readForEdit({ kind, namespace, name }: Target): Promise<string> {
  return getYaml(`${pathOf(kind, namespace, name)}?managedFields=omit`);
}

/** Which lists of a kind are maps, by its schema. */
export async function listKeysOf(kind: Kind): Promise<ListKeys> {
  const { schema, schemas } = await kindSchema(kind).catch(() => ({
    schema: undefined,
    schemas: {},
  }));
  return (path) => {
    const here = path.reduce(
      (at, step) =>
        typeof step === 'string' ? propertyOf(at, step, schemas) : itemOf(at, schemas),
      resolved(schema, schemas),
    );
    return here?.['x-kubernetes-list-type'] === 'map'
      ? here['x-kubernetes-list-map-keys']
      : undefined;
  };
}

interface Attempt {
  readonly target: Target;
  /** The text that the edit began with. */
  readonly base: string;
  readonly mine: string;
  readonly keysOf: ListKeys;
  /** By the field of the conflict. */
  readonly choices: ReadonlyMap<string, Choice>;
  readonly isDryRun: boolean;
}

/**
 * Checks or saves an edit. What others have changed meanwhile stays; where both
 * changed the same, or another owner holds a field, the user chooses.
 *
 * @throws Refused, Unreachable, SyntaxError for a text that cannot be read
 */
export async function attempt(trying: Attempt): Promise<Outcome> {
  const { target, base, mine, keysOf, choices, isDryRun } = trying;
  const [latest, object] = await Promise.all([
    readForEdit(target),
    getJson(pathOf(target.kind, target.namespace, target.name)),
  ]);
  const [from, typed, theirs] = [valueOf(base), valueOf(mine), valueOf(latest)];
  const clashes = clashesOf(from, typed, theirs, keysOf).map((clash): Conflict => {
    return { ...clash, field: fieldText(clash.path), owner: CHANGED };
  });
  const open = clashes.filter(({ field }) => !choices.has(field));
  if (open.length > 0) return { kind: 'conflicts', conflicts: clashes };
  const isMine = (path: Path): boolean =>
    clashes.some(
      (clash) =>
        clash.path !== undefined &&
        samePath(clash.path, path) &&
        choices.get(clash.field) === 'mine',
    );
  const wanted = merged(from, typed, theirs, keysOf, isMine);
  const plan = planOf(theirs, wanted, ownedFields(object), keysOf);
  if (plan.kind === 'nothing') return plan;
  try {
    return await write(trying, plan, latest, textAt(object, 'metadata', 'resourceVersion'));
  } catch (error) {
    const conflicts =
      error instanceof Refused && plan.kind === 'apply'
        ? managerConflicts(error, plan.config, theirs)
        : [];
    if (conflicts.length > 0) return { kind: 'conflicts', conflicts };
    // The object has changed between the two requests: try again with what it is now.
    if (error instanceof Refused && error.code === 409 && !isDryRun)
      return attempt({ ...trying, isDryRun: true });
    throw error;
  }
}

async function write(
  { target: { kind, namespace, name }, choices, isDryRun }: Attempt,
  plan: Exclude<Plan, { kind: 'nothing' }>,
  latest: string,
  revision: string,
): Promise<Outcome> {
  const query = new URLSearchParams({ fieldManager: MANAGER, fieldValidation: 'Strict' });
  if (isDryRun) query.set('dryRun', 'All');
  const path = (): string => `${pathOf(kind, namespace, name)}?${query.toString()}`;
  if (plan.kind === 'replace') {
    const body = exactText(withRevision(plan.object, revision));
    return finished(
      await sendText('PUT', path(), { body, accept: accepted(isDryRun) }),
      'replace',
      latest,
      isDryRun,
    );
  }
  const chosen = [...choices].filter(([field]) => field.startsWith('.'));
  const given = chosen.filter(([, choice]) => choice === 'theirs');
  const config = given.reduce<Data>((here, [field]) => {
    const at = parseFieldPath(field, (above, each) => hasName(here, above, each));
    return at === undefined ? here : without(here, at);
  }, plan.config);
  if (chosen.length > 0) query.set('force', String(chosen.some(([, choice]) => choice === 'mine')));
  const answer = await sendText('PATCH', path(), {
    ...{
      body: exactText(config),
      type: 'application/apply-patch+yaml',
      accept: accepted(isDryRun),
    },
  });
  return finished(answer, 'apply', latest, isDryRun);
}

const accepted = (isDryRun: boolean): string => (isDryRun ? YAML : 'application/json');

function finished(
  { text, warnings }: { readonly text: string; readonly warnings: readonly string[] },
  how: 'apply' | 'replace',
  before: string,
  isDryRun: boolean,
): Outcome {
  if (!isDryRun) return { kind: 'saved', object: parseExact(text) as Json };
  return {
    kind: 'ready',
    before: withoutManagers(before),
    after: withoutManagers(text),
    how,
    warnings,
  };
}

/** The text without managed fields, which would fill the difference. */
function withoutManagers(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('  managedFields:'));
  if (start < 0) return text;
  const end = lines.findIndex((line, i) => i > start && !/^ {2}(?:-| {2})/.test(line));
  return [...lines.slice(0, start), ...lines.slice(end < 0 ? lines.length : end)].join('\n');
}

function valueOf(text: string): Data {
  const { value, mistakes } = readText(text);
  if (value === undefined)
    throw new SyntaxError(mistakes[0]?.message ?? 'The text cannot be read.');
  if (!isDataMap(value)) throw new SyntaxError('The text must be an object.');
  const metadata = own(value, 'metadata');
  if (!isDataMap(metadata)) return value;
  const kept: DataMap = {};
  for (const [key, each] of Object.entries(metadata))
    if (!OF_SERVER.includes(key)) put(kept, key, each);
  const copy: DataMap = { ...value };
  put(copy, 'metadata', kept);
  return copy;
}

function withRevision(object: Data, resourceVersion: string): Data {
  if (!isDataMap(object)) return object;
  const metadata = own(object, 'metadata');
  return { ...object, metadata: { ...(isDataMap(metadata) ? metadata : {}), resourceVersion } };
}

function hasName(value: Data, path: Path, name: string): boolean {
  const here = dataAt(value, path);
  return isDataMap(here) && Object.hasOwn(here, name);
}

function managerConflicts(error: Refused, config: Data, theirs: Data): Conflict[] {
  return error.causes
    .filter(({ reason }) => reason === 'FieldManagerConflict')
    .map(({ field, message }) => {
      const path = parseFieldPath(field, (above, name) => hasName(config, above, name));
      return {
        ...{ path, field, owner: message.replace(/^conflict with /, '') },
        mine: path && dataAt(config, path),
        theirs: path && dataAt(theirs, path),
      };
    });
}

/** Names a clash; without the point that paths of the server begin with. */
function fieldText(path: Path): string {
  return JSON.stringify(path, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
