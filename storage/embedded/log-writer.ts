import { nextRevision, type Revision } from '../../api/revision.ts';
import type { BatchOperation, StoredItem, StoreEvent } from '../interface.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import type { Tables } from './environment.ts';
import type { Meta } from './meta.ts';
import {
  CREATED,
  decodeLogRecord,
  decodeStateRecord,
  DELETED,
  encodeLogRecord,
  encodePosition,
  encodeStateRecord,
  expiryKey,
  revisionAt,
  UNREADABLE,
  UPDATED,
  versionKey,
  type Kind,
  type StateRecord,
} from './record.ts';

/**
 * Writes revisions within one transaction of the environment. Operations that
 * come later in the transaction see what earlier ones have done.
 */
export class LogWriter {
  readonly #tables: Tables;
  readonly #meta: Meta;
  #revision: Revision;
  /**
   * When the keys that guards name were last written, once one has asked: writes of
   * one commit mostly have the same guards, and to look one up takes 2 µs.
   */
  readonly #guarded = new Map<string, Revision | undefined>();
  /** What the transaction writes, as watches tell it, without what was there before. */
  readonly events: StoreEvent[] = [];

  constructor(tables: Tables, meta: Meta) {
    this.#tables = tables;
    this.#meta = meta;
    this.#revision = meta.revision;
  }

  get revision(): Revision {
    return this.#revision;
  }
  get tables(): Tables {
    return this.#tables;
  }
  get meta(): Meta {
    return this.#meta;
  }

  /**
   * All operations at one new revision, or none. `deadline`: of the first key, in
   * store time; 0: it stays, as the others do. `bareConflict`: what stands in the
   * way is not read.
   */
  execute(
    { operations, guards }: Transaction,
    deadline: bigint,
    bareConflict = false,
  ): WriteResult {
    const before: (StateRecord | undefined)[] = [];
    for (const operation of operations) {
      const { key } = operation;
      const state = this.state(Buffer.from(key));
      const actual = state === undefined ? undefined : revisionAt(state.position);
      const expected = operation.op === 'create' ? undefined : operation.expected;
      if (actual !== expected) {
        return state === undefined || bareConflict
          ? { outcome: 'conflict', key }
          : { outcome: 'conflict', key, current: this.#item(key, state) };
      }
      before.push(state);
    }
    for (const guard of guards) {
      if (this.#writtenAt(guard.key) !== guard.revision) return { outcome: 'guarded', guard };
    }
    const revision = nextRevision(this.#revision);
    for (const [index, operation] of operations.entries()) {
      const at = { revision, position: encodePosition({ revision, index }) };
      this.#apply(operation, at, before[index], index === 0 ? deadline : 0n);
    }
    this.#revision = revision;
    return { outcome: 'ok', revision };
  }

  #writtenAt(key: string): Revision | undefined {
    if (!this.#guarded.has(key)) {
      const state = this.state(Buffer.from(key));
      this.#guarded.set(key, state && revisionAt(state.position));
    }
    return this.#guarded.get(key);
  }

  state(key: Buffer): StateRecord | undefined {
    const bytes = this.#tables.state.get(key);
    return bytes === undefined ? undefined : decodeStateRecord(bytes);
  }

  /**
   * Has to be called once, when all is written. It reads also where nothing was written:
   * when a damaged page has failed the transaction, that read says so. LMDB would end the
   * process at the commit, without a word of the damage.
   *
   * @throws Error of a transaction that has failed
   */
  finish(): void {
    if (this.#revision !== this.#meta.revision) this.#meta.revision = this.#revision;
  }

  #apply(
    operation: BatchOperation,
    { revision, position }: { readonly revision: Revision; readonly position: Buffer },
    before: StateRecord | undefined,
    deadline: bigint,
  ): void {
    const { log, state, versions, expiry } = this.#tables;
    this.#guarded.delete(operation.key);
    const key = Buffer.from(operation.key);
    const kind: Kind =
      operation.op === 'delete' ? DELETED : before === undefined ? CREATED : UPDATED;
    const value = operation.op === 'delete' ? EMPTY : asBuffer(operation.value);
    const previous = before?.position;
    // The log only grows at its end: LMDB then fills pages instead of splitting them in halves.
    log.putSync(position, encodeLogRecord({ kind, previous, key, value }, position), APPEND);
    versions.putSync(versionKey(key, position), Buffer.from([kind]));
    if (before !== undefined && before.deadline !== 0n) {
      expiry.removeSync(expiryKey(before.deadline, before.position));
    }
    if (kind === DELETED) {
      state.removeSync(key);
      this.events.push({ type: 'delete', key: operation.key, revision });
    } else {
      const created = kind === CREATED;
      this.events.push({ type: 'put', key: operation.key, value, revision, created });
      state.putSync(key, encodeStateRecord({ position, deadline }));
      if (deadline !== 0n) expiry.putSync(expiryKey(deadline, position), key);
    }
  }

  #item(key: string, { position }: StateRecord): StoredItem {
    const bytes = this.#tables.log.get(position);
    const record = bytes === undefined ? undefined : decodeLogRecord(bytes, position);
    return { key, value: record?.value ?? UNREADABLE, revision: revisionAt(position) };
  }
}

const EMPTY = Buffer.alloc(0);
const APPEND = { append: true };

function asBuffer(value: Uint8Array): Buffer {
  return Buffer.isBuffer(value)
    ? value
    : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}
