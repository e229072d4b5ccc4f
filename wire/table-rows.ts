import type { JsonValue } from '../api/json.ts';
import { stringifyJson } from '../api/json-write.ts';
import { getPath } from '../api/json.ts';
import type { Column } from '../resources/definition.ts';
import { lookAt } from '../registry/look-at.ts';
import type { ServedResource } from '../registry/served-resource.ts';
import type { Conversion, IncludeObject } from './negotiate.ts';
import { metadataRange, type MetadataRange } from '../storage/metadata-range.ts';
import { partialPrefix } from './partial-object.ts';
import type { SlabWriter } from './slab-writer.ts';

/** `columnDefinitions` of a table. */
export function columnDefinitions(columns: readonly Column[]): JsonValue {
  return columns.map(({ name, type, format, description, priority }) => ({
    name,
    type,
    format,
    description,
    priority,
  }));
}

/** What is kept of an object for tables: its cells but for the age, and where its metadata is. */
interface Row {
  readonly columns: readonly Column[];
  /** The text of the cells; between two parts stands the age. */
  readonly parts: readonly string[];
  /** Undefined when no cell is an age. */
  readonly created: JsonValue | undefined;
  readonly range: MetadataRange;
}

/**
 * Rows that have been made, for as long as their objects are there: a table
 * that is asked for again costs no parsing.
 */
const rows = new WeakMap<Buffer, Row>();

/** Writes the rows of tables of one resource. */
export class RowWriter {
  readonly #columns: readonly Column[];
  readonly #isExact: boolean;
  readonly #include: IncludeObject;
  readonly #now: number;
  readonly #partialPrefix: string;
  readonly #cacheable: boolean;
  readonly #age: Column | undefined;
  #lastCreated: JsonValue | undefined;
  #lastAge = '';

  /** `now`: the moment that ages are counted to, in milliseconds. */
  constructor(
    { version, definition }: ServedResource,
    conversion: Conversion,
    include: IncludeObject,
    now: number,
  ) {
    this.#columns = version.columns;
    this.#isExact = !definition.builtin;
    this.#include = include;
    this.#now = now;
    this.#partialPrefix = partialPrefix(conversion);
    this.#age = version.columns.find(({ isAge }) => isAge === true);
    this.#cacheable = version.columns.every(isCacheable);
  }

  /** `{"cells":[…],"object":…}` */
  write(slabs: SlabWriter, bytes: Buffer): void {
    const row = this.#row(bytes);
    slabs.text(`{"cells":[${this.#cells(row)}],"object":`);
    switch (this.#include) {
      case 'None':
        slabs.text('null}');
        break;
      case 'Object':
        slabs.bytes(bytes);
        slabs.text('}');
        break;
      case 'Metadata':
        slabs.text(this.#partialPrefix);
        slabs.bytes(bytes, row.range.start, row.range.end);
        slabs.text('}}');
        break;
      case 'Brief':
        slabs.text(this.#partialPrefix);
        brief(slabs, bytes, row.range);
        slabs.text('}}');
        break;
    }
  }

  #cells({ parts, created }: Row): string {
    if (created === undefined) return parts[0] ?? '';
    // Objects that were made together are shown together.
    if (created !== this.#lastCreated) {
      this.#lastCreated = created;
      const metadata = created === null ? {} : { creationTimestamp: created };
      this.#lastAge = jsonText(this.#age?.cell({ metadata }, this.#now) ?? null);
    }
    return parts.join(this.#lastAge);
  }

  #row(bytes: Buffer): Row {
    const kept = rows.get(bytes);
    if (kept?.columns === this.#columns) return kept;
    const row = this.#make(bytes);
    if (this.#cacheable) rows.set(bytes, row);
    return row;
  }

  #make(bytes: Buffer): Row {
    const range = metadataRange(bytes);
    const object = lookAt(bytes, range, this.#isExact);
    const parts: string[] = [];
    let text = '';
    this.#columns.forEach((column, i) => {
      if (i > 0) text += ',';
      if (column.isAge === true) {
        parts.push(text);
        text = '';
      } else {
        text += jsonText(column.cell(object, this.#now));
      }
    });
    parts.push(text);
    const created = getPath(object, 'metadata', 'creationTimestamp') ?? null;
    return {
      columns: this.#columns,
      parts,
      created: parts.length > 1 ? created : undefined,
      range,
    };
  }
}

/** An object's metadata without its managed fields. */
function brief(slabs: SlabWriter, bytes: Buffer, range: MetadataRange): void {
  const { start, end, managedStart, managedEnd } = range;
  slabs.bytes(bytes, start, managedEnd === 0 ? end : managedStart);
  if (managedEnd > 0) slabs.bytes(bytes, managedEnd, end);
}

/** A cell that does not ask for the time says the same at any time. */
function isCacheable({ cell, isAge }: Column): boolean {
  return cell.length < 2 || isAge === true;
}

function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : stringifyJson(value);
}
