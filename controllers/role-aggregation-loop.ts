import type { JsonObject } from '../api/json.ts';
import { inTurns } from '../api/steps.ts';
import { Turn } from '../api/turn.ts';
import { Follower } from '../watch/follower.ts';
import type { Loop, LoopReport } from './loop.ts';
import { seenOf, type LoopWriter } from './writer.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { RBAC_GROUP } from '../resources/rbac/roles.ts';
import { resourcePrefix } from '../storage/keys.ts';
import type { Entry } from '../watch/entry.ts';
import {
  aggregatableRole,
  aggregationSteps,
  sameRulesSteps,
  type AggregatableRole,
} from '../resources/rbac/role-aggregation.ts';
import { ruleObject, type PolicyRule } from '../resources/rbac/rules.ts';

const PERIOD_MS = 300_000;
/** Aggregated roles that are looked at before others have their turn. */
const ROLES_PER_TURN = 20;
const CLUSTER_ROLES = resourcePrefix({ group: RBAC_GROUP, resource: 'clusterroles' });

/** Keeps the rules of aggregated roles what the roles that they select make them. */
export function roleAggregationLoop(parts: RegistryParts, writer: LoopWriter): Loop {
  const { replica } = parts.reader;
  let roles = new Map<string, AggregatableRole>();
  let follower = new Follower(replica, CLUSTER_ROLES);

  const catchUp = async (): Promise<void> => {
    const turn = new Turn(parts.clock, 1);
    const changes = follower.changes();
    if (changes.all) roles = new Map();
    const events = changes.all
      ? Array.from(changes.items.range(''), (entry) => ({ type: 'ADDED' as const, entry }))
      : changes.events;
    const known = roles;
    for (const { type, entry } of events) {
      if (type === 'DELETED') known.delete(entry.name);
      else putRole(known, entry);
      if (turn.over()) await turn.next();
    }
  };

  const step = async (signal: AbortSignal): Promise<LoopReport> => {
    await catchUp();
    const all = [...roles.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    let written = 0;
    let looked = 0;
    for (const role of all) {
      if (role.selectors === undefined || signal.aborted) continue;
      if (++looked % ROLES_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      const rules = await inTurns(aggregationSteps(role, all), parts.clock);
      if (await inTurns(sameRulesSteps(rules, role.rules), parts.clock)) continue;
      if (await writeRules(parts, writer, { name: role.name, rules }, signal)) written++;
    }
    return { summary: `${looked} aggregated roles, ${written} changed` };
  };

  return {
    name: 'role-aggregation',
    periodMs: PERIOD_MS,
    wokenBy: [CLUSTER_ROLES],
    elected: true,
    step,
    reset() {
      roles = new Map();
      follower = new Follower(replica, CLUSTER_ROLES);
    },
  };
}

function putRole(roles: Map<string, AggregatableRole>, entry: Entry): void {
  if (entry.corrupt) roles.delete(entry.name);
  else roles.set(entry.name, aggregatableRole(entry.name, entry.labels, entry.object()));
}

/** False when the role has changed since: then the loop is woken again. */
async function writeRules(
  { catalog, reader }: RegistryParts,
  writer: LoopWriter,
  { name, rules }: { name: string; rules: readonly PolicyRule[] },
  signal: AbortSignal,
): Promise<boolean> {
  const resource = catalog.find(RBAC_GROUP, 'v1', 'clusterroles');
  const entry = reader.replica.collection(CLUSTER_ROLES).items.get(name);
  if (resource === undefined || entry === undefined || entry.corrupt) return false;
  const { outcome } = await writer.change(
    { resource, namespace: '', name },
    seenOf(entry),
    (object) => {
      const role: JsonObject = object;
      role.rules = rules.map(ruleObject);
    },
    { signal },
  );
  return outcome === 'done';
}
