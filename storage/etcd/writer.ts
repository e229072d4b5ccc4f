import type { CancelSignal } from '../../api/cancel-signal.ts';
import { revisionOf, type Revision } from '../../api/revision.ts';
import { isStoreError, StoreError } from '../errors.ts';
import type { WriteOptions } from '../interface.ts';
import type { Transaction, WriteResult } from '../outcomes.ts';
import { EtcdCallError, toStoreError } from './call-error.ts';
import type { Cluster } from './cluster.ts';
import type { Epoch } from './epoch.ts';
import type { Journal, Mark } from './journal.ts';
import type { KeySpace } from './key-space.ts';
import type { LeasePool } from './lease-pool.ts';
import type { Lineage } from './lineage.ts';
import type { FateResolver } from './resolve-unknown.ts';
import { prepare, readRefusal, toRequest, type PreparedWrite } from './txn.ts';
import type { TxnRequest, TxnResponse } from './wire.ts';

/** etcd itself gives a proposal 7 s with its default election timeout. */
const WRITE_TIMEOUT_MS = 10_000;
/** Times that one write is sent, each after it was certain that it had not been executed. */
const MAX_ATTEMPTS = 6;

interface WriterParts {
  cluster: Cluster;
  keys: KeySpace;
  journal: Journal;
  epoch: Epoch;
  lineage: Lineage;
  leases: LeasePool;
  fates: FateResolver;
}

type Attempt = WriteResult | 'again' | 'unsigned';

/** Executes compare-and-swap transactions so that each one's outcome is known. */
export class Writer {
  readonly #parts: WriterParts;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** @throws StoreError */
  async write(
    transaction: Transaction,
    { ttlSeconds, signal }: WriteOptions,
  ): Promise<WriteResult> {
    const { keys, leases } = this.#parts;
    let signed = true;
    try {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
        const lease = ttlSeconds === undefined ? undefined : await leases.lease(ttlSeconds);
        const write = prepare(keys, transaction, lease);
        const result = await this.#attempt(write, signed, lease, signal);
        if (result === 'unsigned') signed = false;
        else if (result !== 'again') return result;
      }
    } catch (error) {
      throw toStoreError(error);
    }
    throw new StoreError(
      'unavailable',
      'the epoch in etcd kept changing; the write has not happened',
    );
  }

  async #attempt(
    write: PreparedWrite,
    signed: boolean,
    lease: bigint | undefined,
    signal: CancelSignal | undefined,
  ): Promise<Attempt> {
    const { cluster, keys, journal, epoch, lineage } = this.#parts;
    const { creation } = write;
    const signature = signed && creation === undefined ? journal.nextSignature() : undefined;
    const mark = creation ?? signature;
    const request: TxnRequest = toRequest(keys, write, { epoch: epoch.revision, signature });
    const since = lineage.highest;
    let response;
    try {
      response = await cluster.write('txn', request, { timeoutMs: WRITE_TIMEOUT_MS, signal });
    } catch (error) {
      if (!(error instanceof EtcdCallError)) throw error;
      return this.#afterFailure(error, write, mark, since, lease);
    }
    if (response.succeeded) return { outcome: 'ok', revision: this.#executedAt(response, since) };
    lineage.observe(response.header, since);
    const refusal = readRefusal(keys, write, response);
    epoch.adopt(refusal.epoch);
    return refusal.result ?? 'again';
  }

  /** Executed is executed, even if the answer gives away that etcd has been restored from a backup. */
  #executedAt({ header }: TxnResponse, since: Revision): Revision {
    try {
      return this.#parts.lineage.observe(header, since);
    } catch (error) {
      if (!isStoreError(error, 'reset')) throw error;
      return revisionOf(header.revision);
    }
  }

  async #afterFailure(
    error: EtcdCallError,
    write: PreparedWrite,
    mark: Mark | undefined,
    since: Revision,
    lease: bigint | undefined,
  ): Promise<Attempt> {
    switch (error.failure) {
      case 'lost':
      case 'deadline':
      case 'answerTooLarge': {
        if (mark === undefined) {
          throw new StoreError('timeout', 'the outcome of the delete is unknown', {
            cause: error,
          });
        }
        const revision = await this.#parts.fates.resolve(mark, since);
        return revision === undefined ? 'again' : { outcome: 'ok', revision };
      }
      case 'noSpace':
        return this.#afterNoSpace(error, write, mark, since);
      case 'leaseMissing':
        if (lease === undefined) throw error;
        this.#parts.leases.forget(lease);
        return 'again';
      default:
        throw error;
    }
  }

  /**
   * etcd executes the write that exhausts the quota, and still answers that there
   * is no space (quotaApplierV3 in its source). The answer came, so the write
   * is not on its way any more: history can be read without raising the epoch,
   * which would be a put that etcd refuses. A delete was refused for the put of
   * its nonce only, and is sent once more without.
   */
  async #afterNoSpace(
    error: EtcdCallError,
    write: PreparedWrite,
    mark: Mark | undefined,
    since: Revision,
  ): Promise<Attempt> {
    if (mark === undefined) throw error;
    const revision = await this.#parts.journal.find(mark, since);
    if (revision !== undefined) return { outcome: 'ok', revision };
    if (write.deletesOnly) return 'unsigned';
    throw error;
  }
}
