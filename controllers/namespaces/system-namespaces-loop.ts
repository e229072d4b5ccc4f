import {
  KUBERNETES_METADATA_NAME_LABEL,
  systemNamespaces,
  type KubernetesNames,
} from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';
import type { ServedResource } from '../../registry/served-resource.ts';
import type { Entry } from '../../watch/entry.ts';
import type { Loop, LoopReport } from '../loop.ts';
import { seenOf, type LoopWriter } from '../writer.ts';

const PERIOD_MS = 60_000;
/** Namespaces that one step labels. */
const MAX_LABELLED = 50;

/**
 * Makes the namespaces again that every installation has, after a delete
 * (behaviours 9.2), and labels those that an earlier version has stored with their
 * name as manifests for Kubernetes select by it.
 */
export function systemNamespacesLoop(
  parts: RegistryParts,
  writer: LoopWriter,
  names: KubernetesNames,
): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const resource = parts.catalog.findStored('', 'namespaces');
    if (resource === undefined) throw new Error('the namespace kind is missing');
    const { items } = parts.reader.replica.collection(NAMESPACES_PREFIX);
    let made = 0;
    for (const name of systemNamespaces(names)) {
      if (items.get(name) !== undefined) continue;
      if ((await writer.create(resource, { metadata: { name } }, signal)) !== undefined) made++;
    }
    const unlabelled: Entry[] = [];
    if (names !== 'off') {
      for (const entry of items.range('')) {
        if (unlabelled.length === MAX_LABELLED) break;
        if (isUnlabelled(entry)) unlabelled.push(entry);
      }
    }
    for (const entry of unlabelled) await label(writer, resource, entry, signal);
    return {
      summary: `${made} made, ${unlabelled.length} labelled`,
      again: unlabelled.length === MAX_LABELLED,
    };
  };
  return {
    name: 'system-namespaces',
    periodMs: PERIOD_MS,
    wokenBy: [NAMESPACES_PREFIX],
    restMs: 1_000,
    elected: true,
    step,
  };
}

function isUnlabelled({ corrupt, labels, name }: Entry): boolean {
  return !corrupt && labels[KUBERNETES_METADATA_NAME_LABEL] !== name;
}

/** What has changed meanwhile is looked at again. */
async function label(
  writer: LoopWriter,
  resource: ServedResource,
  entry: Entry,
  signal: AbortSignal,
): Promise<void> {
  const target = { resource, namespace: '', name: entry.name };
  const set = KUBERNETES_METADATA_NAME_LABEL;
  await writer.change(
    target,
    seenOf(entry),
    ({ metadata }) => {
      metadata.labels = { ...metadata.labels, [set]: entry.name };
    },
    { signal },
  );
}
