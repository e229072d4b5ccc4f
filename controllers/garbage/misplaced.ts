import { createHash } from 'node:crypto';
import type { OwnerReference } from '../../api/object.ts';
import { microTimeOf } from '../../api/time.ts';
import { DEFAULT_NAMESPACE } from '../../api/naming.ts';
import type { RegistryParts } from '../../registry/parts.ts';
import type { Kinds } from '../kinds.ts';
import { LoopWriter } from '../writer.ts';
import type { GarbageNode } from './node.ts';

/** References that are remembered as told; beyond that the name of the Event keeps it from being told twice. */
const MAX_TOLD = 10_000;

/** Tells, once per reference and lifetime of an Event, that an owner cannot own from where it is. */
export class MisplacedOwners {
  readonly #parts: RegistryParts;
  readonly #kinds: Kinds;
  readonly #writer: LoopWriter;
  readonly #instance: string;
  readonly #told = new Set<string>();
  readonly #pending = new Map<string, { node: GarbageNode; owner: OwnerReference }>();

  constructor(parts: RegistryParts, kinds: Kinds, instance: string) {
    this.#parts = parts;
    this.#kinds = kinds;
    this.#writer = new LoopWriter(parts);
    this.#instance = instance;
  }

  note(node: GarbageNode, owner: OwnerReference): void {
    const name = eventName(node, owner);
    if (!this.#told.has(name)) this.#pending.set(name, { node, owner });
  }

  /** Writes the Events. What cannot be written is told when the object is looked at again: Events are best effort. */
  async tell(signal: AbortSignal): Promise<void> {
    for (const [name, { node, owner }] of this.#pending) {
      this.#pending.delete(name);
      try {
        await this.#write(name, node, owner, signal);
      } catch {
        signal.throwIfAborted();
        continue;
      }
      if (this.#told.size >= MAX_TOLD) this.#told.clear();
      this.#told.add(name);
    }
  }

  async #write(
    name: string,
    node: GarbageNode,
    owner: OwnerReference,
    signal: AbortSignal,
  ): Promise<void> {
    const events = this.#parts.catalog.findStored('events.cluster.io', 'events');
    const resource = this.#kinds.byPrefix(node.prefix);
    if (events === undefined || resource === undefined) return;
    const value = {
      metadata: { name, namespace: node.namespace === '' ? DEFAULT_NAMESPACE : node.namespace },
      eventTime: microTimeOf(this.#parts.clock.now()),
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      action: 'CollectGarbage',
      note: noteOf(node, owner),
      reportingController: 'garbage-collector',
      reportingInstance: this.#instance.slice(0, 128),
      regarding: {
        apiVersion: resource.apiVersion,
        kind: resource.kind.kind,
        ...(node.namespace === '' ? {} : { namespace: node.namespace }),
        name: node.name,
        uid: node.uid,
      },
    };
    await this.#writer.create(events, value, signal);
  }
}

function noteOf(
  { namespace }: GarbageNode,
  { apiVersion, kind, name, uid }: OwnerReference,
): string {
  const shown = `ownerRef [${apiVersion}/${kind}, name: ${name}, uid: ${uid}]`.slice(0, 800);
  return namespace === ''
    ? `${shown} is namespaced and cannot own a cluster-scoped object`
    : `${shown} does not exist in namespace ${JSON.stringify(namespace)}`;
}

/** The same for the same reference, so that several servers and restarts tell it once. */
function eventName(node: GarbageNode, owner: OwnerReference): string {
  const hash = createHash('sha256').update(`${node.uid} ${owner.uid}`).digest('hex').slice(0, 16);
  return `owner-ref-invalid.${hash}`;
}
