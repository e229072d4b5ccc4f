import { SYSTEM_NAMESPACES } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Loop, LoopReport } from '../loop.ts';
import type { LoopWriter } from '../writer.ts';
import { NAMESPACES_PREFIX } from '../../registry/prefixes.ts';

const PERIOD_MS = 60_000;

/** Creates the system namespaces, and creates them again after a delete. Source: behaviours 9.2. */
export function systemNamespacesLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const resource = parts.catalog.findStored('', 'namespaces');
    if (resource === undefined) throw new Error('the namespace kind is missing');
    const { items } = parts.reader.replica.collection(NAMESPACES_PREFIX);
    let made = 0;
    for (const name of SYSTEM_NAMESPACES) {
      if (items.get(name) !== undefined) continue;
      if ((await writer.create(resource, { metadata: { name } }, signal)) !== undefined) made++;
    }
    return { summary: `${made} made` };
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
