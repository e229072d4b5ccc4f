import { revisionOf, type Revision } from '../../api/revision.ts';
import { StoreError } from '../errors.ts';
import type { ReadTransaction } from './environment.ts';
import { FORMAT, OLDEST_FORMAT } from './record.ts';
import type { Table } from './table.ts';

/** An empty store stands at revision 1, as an empty etcd does. */
const FIRST_REVISION = revisionOf(1n);

const KEYS = {
  format: Buffer.from('format'),
  /** Newest revision. */
  revision: Buffer.from('revision'),
  /** History before this revision is gone. */
  compacted: Buffer.from('compacted'),
  /** Compaction has cleared away everything before this revision. */
  swept: Buffer.from('swept'),
  time: Buffer.from('time'),
} as const;

/** The few numbers that describe the whole store; they change with the transaction that changes them. */
export class Meta {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** @throws StoreError `corrupt` in one line for a format that this version cannot read */
  checkFormat(directory: string): void {
    const bytes = this.#table.get(KEYS.format);
    if (bytes === undefined) return;
    const format = bytes.length === 4 ? bytes.readUInt32BE() : 0;
    if (format >= OLDEST_FORMAT && format <= FORMAT) return;
    const origin = format > FORMAT ? 'was written by a newer version of Plinth' : 'is not known';
    throw new StoreError(
      'corrupt',
      `the data in ${directory} has format ${format}, which ${origin}; this version reads format ${FORMAT}`,
    );
  }

  /** False for a store that nothing has been written to. */
  get hasFormat(): boolean {
    return this.#table.get(KEYS.format) !== undefined;
  }

  writeFormat(): void {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(FORMAT);
    this.#table.putSync(KEYS.format, bytes);
  }

  get revision(): Revision {
    return this.#read(KEYS.revision) ?? FIRST_REVISION;
  }
  set revision(revision: Revision) {
    this.#write(KEYS.revision, revision);
  }

  /** As {@link revision}, in the state that the transaction shows. */
  revisionIn(transaction: ReadTransaction): Revision {
    return this.#read(KEYS.revision, transaction) ?? FIRST_REVISION;
  }

  get compacted(): Revision {
    return this.#read(KEYS.compacted) ?? FIRST_REVISION;
  }
  set compacted(revision: Revision) {
    this.#write(KEYS.compacted, revision);
  }

  get swept(): Revision {
    return this.#read(KEYS.swept) ?? FIRST_REVISION;
  }
  set swept(revision: Revision) {
    this.#write(KEYS.swept, revision);
  }

  readTime(): Buffer | undefined {
    return this.#table.get(KEYS.time);
  }
  writeTime(bytes: Buffer): void {
    this.#table.putSync(KEYS.time, bytes);
  }

  #read(key: Buffer, transaction?: ReadTransaction): Revision | undefined {
    const bytes = this.#table.get(key, transaction === undefined ? undefined : { transaction });
    return bytes === undefined ? undefined : revisionOf(bytes.readBigUInt64BE());
  }

  /** Within a transaction this is part of it, and returns at once. */
  #write(key: Buffer, revision: Revision): void {
    const bytes = Buffer.allocUnsafe(8);
    bytes.writeBigUInt64BE(revision);
    this.#table.putSync(key, bytes);
  }
}
