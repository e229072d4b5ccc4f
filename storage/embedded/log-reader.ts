import type { Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type { StoredItem, StoreEvent } from '../interface.ts';
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
const BEHIND_LOG = Buffer.alloc(POSITION_BYTES + 1, 0xff);

interface LogPart {
  readonly events: StoreEvent[];
  /** Everything up to and including this revision is in this part, or not under the prefix. */
  readonly revision: Revision;
  /** More of the log follows already. */
  readonly more: boolean;
}

/** Reads the log from a revision on; the same bytes for every reader, however slow. */
export class LogReader {
  readonly #environment: Environment;
  readonly #meta: Meta;

  constructor(environment: Environment, meta: Meta) {
    this.#environment = environment;
    this.#meta = meta;
  }

  /**
   * The events from `from` on under a prefix, up to a bound, in complete
   * revisions. Undefined when the log has not come so far.
   *
   * @throws StoreError `compacted`, also when the next record is damaged:
   *   the history cannot be followed past a record that cannot be read
   */
  read(prefix: Buffer, from: Revision): LogPart | undefined {
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
    for (const { key, value } of this.#environment.tables.log.getRange({
      start,
      end: BEHIND_LOG,
    })) {
      const revision = revisionAt(key);
      if (revision !== reached && (read >= MAX_EVENTS || bytes >= MAX_BYTES)) {
        return { events, revision: reached, more: true };
      }
      reached = revision;
      read++;
      bytes += value.length;
      const record = decodeLogRecord(value, key);
      if (record === undefined) {
        if (events.length > 0 && revision > from) return partBefore(events, revision);
        throw damaged(revision);
      }
      if (startsWith(record.key, prefix)) events.push(this.#event(record, revision));
    }
    return { events, revision: current, more: false };
  }

  #event(record: LogRecord, revision: Revision): StoreEvent {
    const key = record.key.toString();
    const { kind, value } = record;
    const previous = this.#previous(key, record.previous);
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
  return { events: before, revision: (damagedAt - 1n) as Revision, more: true };
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
