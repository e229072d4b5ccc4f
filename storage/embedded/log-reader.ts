import { nextRevision, type Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type { StoredItem, StoreEvent } from '../interface.ts';
import type { Commit } from './commit-queue.ts';
import type { Environment } from './environment.ts';
import type { Meta } from './meta.ts';
import {
  CREATED,
  decodeLogRecord,
  DELETED,
  encodePosition,
  POSITION_BYTES,
  revisionAt,
  type LogRecord,
} from './record.ts';

/** Bounds of one reading, which holds the event loop: about 3 ms. */
const MAX_EVENTS = 500;
const MAX_BYTES = 4 * 1024 * 1024;
/** A commit of up to this size is kept until the next one. */
const MAX_KEPT_BYTES = 1024 * 1024;
const BEHIND_LOG = Buffer.alloc(POSITION_BYTES + 1, 0xff);

interface LogPart {
  readonly events: readonly StoreEvent[];
  /** Everything up to and including this revision is in this part, or not under the prefix. */
  readonly revision: Revision;
  /** More of the log follows already. */
  readonly more: boolean;
  /** Each value was compared with its checksum. */
  readonly checked: boolean;
}

/** Reads the log from a revision on; the same bytes for every reader, however slow. */
export class LogReader {
  readonly #environment: Environment;
  readonly #meta: Meta;
  readonly #onRead: ((revision: Revision) => void) | undefined;
  /** The last commit, for those who have read all before it: their events need not be read again. */
  #last: Commit | undefined;
  /** Up to where commits have come, once there was one: what is behind it is not there yet. */
  #newest: Revision | undefined;

  /** `onRead` is told up to which revision each reading has come. */
  constructor(environment: Environment, meta: Meta, onRead?: (revision: Revision) => void) {
    this.#environment = environment;
    this.#meta = meta;
    this.#onRead = onRead;
  }

  /** A reading of exactly this commit is answered from memory; of one that is large, from the log. */
  keep(commit: Commit): void {
    const { events, bytes } = commit;
    const isSmall = events.length > 0 && events.length <= MAX_EVENTS && bytes <= MAX_KEPT_BYTES;
    this.#last = isSmall ? commit : undefined;
    this.#newest = commit.revision;
  }

  /**
   * The events from `from` on under a prefix, up to a bound, in complete
   * revisions. Undefined when the log has not come so far. What was there before
   * is read only for who asks for it.
   *
   * @throws StoreError `compacted`, also when the next record is damaged:
   *   the history cannot be followed past a record that cannot be read
   */
  read(prefix: string, from: Revision, withPrevious: boolean): LogPart | undefined {
    // Who has read all asks again after each commit: LMDB's two look-ups for it were 1 % of a create.
    if (this.#newest !== undefined && from > this.#newest) return undefined;
    const last = this.#last;
    if (!withPrevious && last !== undefined && from === nextRevision(last.after)) {
      const events =
        prefix === '' ? last.events : last.events.filter(({ key }) => key.startsWith(prefix));
      // what this process has written was never read
      return { events, revision: last.revision, more: false, checked: false };
    }
    const part = this.#stored(Buffer.from(prefix), from, withPrevious);
    if (part !== undefined) this.#onRead?.(part.revision);
    return part;
  }

  #stored(prefix: Buffer, from: Revision, withPrevious: boolean): LogPart | undefined {
    const { compacted, revision: current } = this.#meta;
    if (from < compacted) {
      throw new StoreError('compacted', `the log before revision ${compacted} has been compacted`, {
        compactRevision: compacted,
      });
    }
    if (from > current) return undefined;
    const start = encodePosition({ revision: from, index: 0 });
    const events: StoreEvent[] = [];
    let reached = from;
    let read = 0;
    let bytes = 0;
    let checked = true;
    for (const { key, value } of this.#environment.tables.log.getRange({
      start,
      end: BEHIND_LOG,
    })) {
      const revision = revisionAt(key);
      if (revision !== reached && (read >= MAX_EVENTS || bytes >= MAX_BYTES)) {
        return { events, revision: reached, more: true, checked };
      }
      reached = revision;
      read++;
      bytes += value.length;
      const record = decodeLogRecord(value, key);
      if (record === undefined) {
        if (events.length > 0 && revision > from) return partBefore(events, revision);
        throw damaged(revision);
      }
      checked &&= record.checked;
      if (startsWith(record.key, prefix)) events.push(this.#event(record, revision, withPrevious));
    }
    return { events, revision: current, more: false, checked };
  }

  #event(record: LogRecord, revision: Revision, withPrevious: boolean): StoreEvent {
    const key = record.key.toString();
    const { kind, value } = record;
    const previous = withPrevious ? this.#previous(key, record.previous) : undefined;
    if (kind === DELETED) return { type: 'delete', key, revision, ...previous };
    return { type: 'put', key, value, revision, created: kind === CREATED, ...previous };
  }

  #previous(key: string, position: Buffer | undefined): { previous?: StoredItem } {
    const bytes = position === undefined ? undefined : this.#environment.tables.log.get(position);
    if (position === undefined || bytes === undefined) return {};
    const record = decodeLogRecord(bytes, position);
    if (record === undefined) return {};
    return { previous: { key, value: record.value, revision: revisionAt(position) } };
  }
}

/** What came before a damaged revision can be told. */
function partBefore(events: readonly StoreEvent[], damagedAt: Revision): LogPart {
  const before = events.filter(({ revision }) => revision < damagedAt);
  return { events: before, revision: (damagedAt - 1n) as Revision, more: true, checked: false };
}

function damaged(revision: Revision): StoreError {
  return new StoreError('compacted', `the log is damaged at revision ${revision}`, {
    compactRevision: revision,
  });
}

function startsWith(key: Buffer, prefix: Buffer): boolean {
  return (
    key.length >= prefix.length && key.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
  );
}
