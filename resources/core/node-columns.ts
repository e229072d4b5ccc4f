import { getOwn, getPath, isObject, type JsonObject } from '../../api/json.ts';
import { ageColumn, nameColumn, pathColumn, textAt, textColumn, WIDE } from '../columns.ts';
import type { Column } from '../definition.ts';

/** Labels that give a node a role: `<prefix><role>`, or the role as the value of the other. */
const ROLE_PREFIX = 'node-role.cluster.io/';
const ROLE_LABEL = 'cluster.io/role';

/** Source: behaviours 9.0; printers of kube, printNode. */
function statusText(object: JsonObject): string {
  const words: string[] = [];
  for (const condition of objectsAt(object, 'status', 'conditions')) {
    if (textAt(condition, 'type') !== 'Ready') continue;
    words.push(textAt(condition, 'status') === 'True' ? 'Ready' : 'NotReady');
  }
  if (words.length === 0) words.push('Unknown');
  if (getPath(object, 'spec', 'unschedulable') === true) words.push('SchedulingDisabled');
  return words.join(',');
}

function rolesText(object: JsonObject): string {
  const labels = getPath(object, 'metadata', 'labels');
  if (!isObject(labels)) return '<none>';
  const roles = new Set<string>();
  for (const key of Object.keys(labels)) {
    const value = getOwn(labels, key);
    if (key.startsWith(ROLE_PREFIX)) roles.add(key.slice(ROLE_PREFIX.length));
    else if (key === ROLE_LABEL && typeof value === 'string') roles.add(value);
  }
  roles.delete('');
  return roles.size === 0 ? '<none>' : [...roles].sort().join(',');
}

const addressText =
  (type: string) =>
  (object: JsonObject): string => {
    const found = objectsAt(object, 'status', 'addresses').find((a) => a['type'] === type);
    return found === undefined ? '<none>' : textAt(found, 'address');
  };

const infoText =
  (field: string) =>
  (object: JsonObject): string => {
    const text = textAt(object, 'status', 'nodeInfo', field);
    return text === '' ? '<unknown>' : text;
  };

/** The kernel with the architecture that it runs on: `6.1.0 (amd64)`. */
function kernelText(object: JsonObject): string {
  const kernel = infoText('kernelVersion')(object);
  const architecture = textAt(object, 'status', 'nodeInfo', 'architecture');
  return architecture === '' ? kernel : `${kernel} (${architecture})`;
}

function objectsAt(object: JsonObject, ...path: string[]): JsonObject[] {
  const items = getPath(object, ...path);
  return Array.isArray(items) ? items.filter(isObject) : [];
}

export const nodeColumns: readonly Column[] = [
  nameColumn,
  textColumn('Status', 'Whether the node is ready, and takes new Pods.', statusText),
  textColumn('Roles', 'The roles that its labels give the node.', rolesText),
  ageColumn,
  pathColumn('Version', 'The version of the node agent.', 'status', 'nodeInfo', 'nodeAgentVersion'),
  textColumn('Internal-IP', 'An address inside the cluster.', addressText('InternalIP'), WIDE),
  textColumn('External-IP', 'An address outside the cluster.', addressText('ExternalIP'), WIDE),
  textColumn('OS-Image', 'The operating system.', infoText('osImage'), WIDE),
  textColumn('Kernel-Version', 'The kernel, and the architecture it runs on.', kernelText, WIDE),
  textColumn(
    'Container-Runtime',
    'The version of the container runtime.',
    infoText('containerRuntimeVersion'),
    WIDE,
  ),
];
