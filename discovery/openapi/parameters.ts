import type { JsonObject } from '../../api/json.ts';

/** A parameter of an operation, in the words of OpenAPI 3. */
type Parameter = JsonObject;

function query(
  name: string,
  type: 'string' | 'boolean' | 'integer',
  description: string,
): Parameter {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

function path(name: string, description: string): Parameter {
  return {
    name,
    in: 'path',
    description,
    required: true,
    schema: { type: 'string', uniqueItems: true },
  };
}

export const NAMESPACE = path('namespace', 'The namespace of the object.');
export const PRETTY = query(
  'pretty',
  'string',
  "'true' indents the answer for people to read; so it is by default for browsers, curl and wget.",
);

/** The `{name}` of a path, described for the kind. */
export function nameParameter(kind: string): Parameter {
  return path('name', `The name of the ${kind}.`);
}

const DRY_RUN = query(
  'dryRun',
  'string',
  'All: every step is done except storing the result. Other values are refused.',
);
const FIELD_MANAGER = query(
  'fieldManager',
  'string',
  'Who owns the fields that this request sets: at most 128 printable characters. Without it the first part of the User-Agent.',
);
const FIELD_VALIDATION = query(
  'fieldValidation',
  'string',
  'What happens to fields that are unknown or given twice. Ignore: they are dropped. Warn (the default): they are dropped, each with a Warning header. Strict: the request fails.',
);
const FORCE = query(
  'force',
  'boolean',
  'Takes over fields that others own instead of failing with a conflict. Only for apply.',
);
const RESOURCE_VERSION = query(
  'resourceVersion',
  'string',
  'How new the state has to be: empty for the newest, 0 for any, otherwise at least this one.',
);
const CONTINUE = query(
  'continue',
  'string',
  'The token of the page before; everything else as it was in the request for that page.',
);
const FIELD_SELECTOR = query(
  'fieldSelector',
  'string',
  'Only objects whose fields have these values, such as metadata.name=a or status.phase in (Active,Failed).',
);
const FILTER = query(
  'filter',
  'string',
  'Only objects for which this expression over the variable object is true, such as object.spec.size > 3.',
);
const LABEL_SELECTOR = query(
  'labelSelector',
  'string',
  'Only objects whose labels match, such as app=web,tier!=db.',
);
const LIMIT = query(
  'limit',
  'integer',
  'At most so many objects; when there are more, the list carries a token for the next page.',
);
const RESOURCE_VERSION_MATCH = query(
  'resourceVersionMatch',
  'string',
  'How resourceVersion is meant: Exact or NotOlderThan.',
);
const SEND_INITIAL_EVENTS = query(
  'sendInitialEvents',
  'boolean',
  'A watch begins with the present state, which a bookmark ends. Needs resourceVersionMatch=NotOlderThan.',
);
const TIMEOUT_SECONDS = query('timeoutSeconds', 'integer', 'Ends the request after this time.');
const ALLOW_WATCH_BOOKMARKS = query(
  'allowWatchBookmarks',
  'boolean',
  'A watch may tell now and then how far it is, with events of type BOOKMARK.',
);
const WATCH = query(
  'watch',
  'boolean',
  'Streams the changes as they happen instead of the list; resourceVersion says from where.',
);
const AUTHORIZED = query(
  'authorized',
  'boolean',
  'true: the part that the user may see in place of a refusal; a watch follows the rights.',
);
const COUNT = query(
  'count',
  'boolean',
  'true: the number of objects in place of them, as a Count.',
);
const GROUP_BY = query(
  'groupBy',
  'string',
  'A path such as status.phase: the number of objects by its value, as a Count.',
);
const ORDER_BY = query(
  'orderBy',
  'string',
  'Up to three paths such as spec.priority:desc,metadata.name by which the objects are ordered.',
);
const FIELDS = query(
  'fields',
  'string',
  'Paths of the fields to show, in addition to those that identify the object; a watch sends only changes of these fields.',
);
const MANAGED_FIELDS = query(
  'managedFields',
  'string',
  'omit: objects without their managed fields.',
);
const GRACE_PERIOD = query(
  'gracePeriodSeconds',
  'integer',
  'Seconds until the object is removed; 0 means at once.',
);
const IGNORE_READ_ERROR = query(
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'boolean',
  'Removes an object that can no longer be read from the store, without its finalizers and preconditions.',
);
const ORPHAN_DEPENDENTS = query('orphanDependents', 'boolean', 'Superseded by propagationPolicy.');
const PROPAGATION_POLICY = query(
  'propagationPolicy',
  'string',
  'What becomes of dependents: Orphan, Background or Foreground.',
);

/** Of a get of `/scale`, which shows a form of the object that nothing selects by. */
export const GET_SCALE_PARAMETERS: readonly Parameter[] = [
  FIELDS,
  MANAGED_FIELDS,
  RESOURCE_VERSION,
];
export const GET_PARAMETERS: readonly Parameter[] = [
  FIELD_SELECTOR,
  FILTER,
  LABEL_SELECTOR,
  ...GET_SCALE_PARAMETERS,
];
export const WRITE_PARAMETERS: readonly Parameter[] = [DRY_RUN, FIELD_MANAGER, FIELD_VALIDATION];
/** Clients look for `fieldValidation` here to learn that the server checks fields by itself. */
export const PATCH_PARAMETERS: readonly Parameter[] = [...WRITE_PARAMETERS, FORCE];
export const DELETE_PARAMETERS: readonly Parameter[] = [
  DRY_RUN,
  GRACE_PERIOD,
  IGNORE_READ_ERROR,
  ORPHAN_DEPENDENTS,
  PROPAGATION_POLICY,
];
const SELECTION: readonly Parameter[] = [
  CONTINUE,
  FIELD_SELECTOR,
  FILTER,
  LABEL_SELECTOR,
  LIMIT,
  ORDER_BY,
  RESOURCE_VERSION,
  RESOURCE_VERSION_MATCH,
  SEND_INITIAL_EVENTS,
  TIMEOUT_SECONDS,
];
export const LIST_PARAMETERS: readonly Parameter[] = [
  ALLOW_WATCH_BOOKMARKS,
  AUTHORIZED,
  COUNT,
  FIELDS,
  GROUP_BY,
  MANAGED_FIELDS,
  ...SELECTION,
  WATCH,
];
export const DELETE_COLLECTION_PARAMETERS: readonly Parameter[] = [
  ...SELECTION,
  ...DELETE_PARAMETERS,
];
