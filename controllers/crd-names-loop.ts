import { objectOf } from '../resources/object-of.ts';
import { customResourceDefinitionSchema } from '../resources/apiextensions/crd-schema.ts';
import { deepClone } from '../api/json.ts';
import type { ApiObject } from '../api/object.ts';
import { servedGroup } from '../api/naming.ts';
import { formatTime } from '../api/time.ts';
import { crdSummaries, type CrdSummary } from '../registry/crd-summary.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { CRD_GROUP, CRD_PLURAL } from '../resources/apiextensions/crd-types.ts';
import { attemptEach } from './attempt-each.ts';
import { decideNames, isSettled, type StatusDecision } from './crd-names.ts';
import type { Loop, LoopReport } from './loop.ts';
import type { LoopWriter } from './writer.ts';
import { CRD_PREFIX } from '../registry/prefixes.ts';

/** Statuses that one step writes, and how many of them at a time. */
const MAX_WRITES = 200;
const WRITERS = 8;
/** Changes wake the loop; the period is a safety net for changes that do not. */
const PERIOD_MS = 60_000;

/**
 * Accepts the names of custom resource definitions and establishes those whose
 * names are free, in one write: a new definition is served as soon as the
 * servers see it. Also gives names that have become free to those who wait.
 */
export function crdNamesLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    const decisions = decide(parts);
    let written = 0;
    const now = decisions.slice(0, MAX_WRITES);
    await attemptEach(now, { signal, width: WRITERS }, async (decision) => {
      if (await write(parts, writer, decision, signal)) written++;
    });
    const left = decisions.length - written;
    return {
      summary: `${written} statuses written, ${left} left`,
      // what is left has either changed, which wakes the loop, or not been tried
      again: decisions.length > MAX_WRITES,
    };
  };
  return {
    name: 'crd-names',
    periodMs: PERIOD_MS,
    wokenBy: [CRD_PREFIX],
    elected: true,
    step,
  };
}

function decide({ reader, clock }: RegistryParts): StatusDecision[] {
  const groups = new Map<string, CrdSummary[]>();
  const unsettled = new Set<string>();
  for (const crd of crdSummaries(reader.replica.collection(CRD_PREFIX))) {
    const name = servedGroup(crd.group);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [crd]);
    else group.push(crd);
    if (!isSettled(crd)) unsettled.add(name);
  }
  const now = formatTime(clock.now());
  return [...unsettled].flatMap((group) => decideNames(groups.get(group) ?? [], now));
}

/** False when the definition has changed since. */
async function write(
  { catalog }: RegistryParts,
  writer: LoopWriter,
  { crd, status }: StatusDecision,
  signal: AbortSignal,
): Promise<boolean> {
  const resource = catalog.find(CRD_GROUP, 'v1', CRD_PLURAL);
  if (resource === undefined) throw new Error('the kind of definitions is missing');
  const target = { resource, namespace: '', name: crd.name };
  const edit = (object: ApiObject): void => {
    objectOf(customResourceDefinitionSchema, object).status = deepClone(status);
  };
  const written = await writer.change(target, crd, edit, { subresource: 'status', signal });
  return written.outcome === 'done';
}
