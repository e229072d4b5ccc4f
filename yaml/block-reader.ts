import type { JsonObject, JsonValue } from '../api/json.ts';
import { readBlockScalar } from './block-scalar.ts';
import type { Composer } from './composer.ts';
import { FlowReader, type InlineNode } from './flow-reader.ts';
import { atProperties, NO_PROPERTIES, readProperties, type NodeProperties } from './properties.ts';
import { CHAR, type Source } from './source.ts';

/** Where a node stands. */
interface Place {
  /** Indentation of the collection around it; -1 for the document. */
  readonly indent: number;
  /** A block collection may begin on the present line. */
  readonly mayBegin: boolean;
  /** A sequence may begin at the very column of the mapping around it. */
  readonly mayAlign: boolean;
}

interface Properties {
  /** On lines before the node. */
  readonly outer: NodeProperties;
  /** On the node's own line, and where they begin. */
  readonly own?: {
    readonly properties: NodeProperties;
    readonly line: number;
    readonly start: number;
  };
}

/** Reads nodes whose structure is their indentation. */
export class BlockReader {
  readonly #source: Source;
  readonly #composer: Composer;
  readonly #flow: FlowReader;

  constructor(source: Source, composer: Composer) {
    this.#source = source;
    this.#composer = composer;
    this.#flow = new FlowReader(source, composer);
  }

  /** The node of a document; `isFresh` when it begins on a line of its own. */
  document(isFresh: boolean): JsonValue {
    return this.#node(-1, isFresh, false);
  }

  #node(indent: number, isFresh: boolean, mayAlign: boolean): JsonValue {
    const source = this.#source;
    const { line } = source;
    source.skip(!isFresh);
    if (!this.#belongs(indent, mayAlign)) return null;
    return this.#content({ indent, mayAlign, mayBegin: isFresh || source.line !== line });
  }

  /** Is what comes next part of a node at this place? */
  #belongs(indent: number, mayAlign: boolean): boolean {
    const source = this.#source;
    if (source.atDocumentEnd) return false;
    return source.column > indent || (mayAlign && source.column === indent && this.#at(CHAR.DASH));
  }

  /** At an indicator of block structure. */
  #at(indicator: number): boolean {
    return this.#source.code() === indicator && this.#source.isSeparator(1);
  }

  /** `outer`: properties on lines before, which are the node's whatever it turns out to be. */
  #content(place: Place, outer = NO_PROPERTIES): JsonValue {
    const source = this.#source;
    const { column, line } = source;
    if (!atProperties(source)) return this.#bare(place, column, { outer });
    const start = source.at;
    const properties = readProperties(source);
    const endLine = source.line;
    source.skip(true);
    const own = { properties, line, start };
    if (source.line === endLine) return this.#bare(place, column, { outer, own });
    return this.#below(place, outer, properties);
  }

  /** The node on the lines below its properties. */
  #below(place: Place, outer: NodeProperties, { anchor, tag }: NodeProperties): JsonValue {
    if (anchor !== undefined) this.#composer.open(anchor);
    this.#composer.enter('');
    const value = this.#belongs(place.indent, place.mayAlign)
      ? this.#content({ ...place, mayBegin: true }, { anchor, tag: tag ?? outer.tag })
      : this.#composer.scalar('', true, tag);
    this.#composer.leave();
    if (anchor !== undefined) this.#composer.close(anchor, value);
    return value;
  }

  /**
   * A node behind its properties. When it turns out to be the first key of a
   * mapping, properties on its line are the key's, and the mapping begins at
   * their column.
   */
  #bare(place: Place, column: number, { outer, own }: Properties): JsonValue {
    const source = this.#source;
    const { indent } = place;
    const mayBegin = place.mayBegin && own === undefined;
    if (this.#at(CHAR.DASH)) {
      if (!mayBegin) source.fail('block sequence entries are not allowed in this context');
      return this.#sequence(column, column === indent);
    }
    if (this.#at(CHAR.QUESTION) || (this.#at(CHAR.COLON) && own === undefined)) {
      if (!mayBegin) source.fail('mapping keys are not allowed in this context');
      return this.#mapping(column, undefined);
    }
    const properties = own?.properties ?? NO_PROPERTIES;
    if (source.code() === CHAR.PIPE || source.code() === CHAR.GREATER) {
      const tag = properties.tag ?? outer.tag;
      const value = this.#composer.scalar(readBlockScalar(source, indent), false, tag);
      if (properties.anchor !== undefined) this.#composer.close(properties.anchor, value);
      return value;
    }
    const node = this.#inline(indent, properties);
    if (!this.#endsInColon(node) || (source.line !== node.line && source.column <= indent)) {
      return node.text === undefined || outer.tag === undefined
        ? node.value
        : this.#composer.scalar(node.text, node.isPlain, outer.tag);
    }
    const key = own === undefined ? node : { ...node, line: own.line, start: own.start };
    if (!place.mayBegin || !this.#flow.isKey(key)) {
      source.fail('mapping values are not allowed in this context');
    }
    return this.#mapping(column, key);
  }

  #inline(indent: number, properties: NodeProperties): InlineNode {
    const node = this.#flow.inline(indent, false, properties);
    return node ?? this.#source.fail('did not find expected node content');
  }

  #endsInColon(node: InlineNode): boolean {
    if (this.#source.line === node.line) this.#source.skipBlanks();
    return this.#at(CHAR.COLON);
  }

  #sequence(column: number, isAligned: boolean): JsonValue {
    const source = this.#source;
    const items: JsonValue[] = [];
    for (;;) {
      source.at++;
      this.#composer.enter(items.length);
      items.push(this.#node(column, true, false));
      this.#composer.leave();
      if (!this.#goesOn(column)) return items;
      if (this.#at(CHAR.DASH)) continue;
      if (isAligned) return items;
      source.fail("did not find expected '-' indicator");
    }
  }

  /** `first`: a key that has been read already. */
  #mapping(column: number, first: InlineNode | undefined): JsonValue {
    const object: JsonObject = {};
    let key = first;
    do {
      if (key === undefined && this.#at(CHAR.QUESTION)) {
        this.#explicitEntry(object, column);
      } else {
        this.#entry(object, key ?? this.#implicitKey(column), column);
      }
      key = undefined;
    } while (this.#goesOn(column));
    return object;
  }

  /** Is there more of a collection at this column? What is indented further belongs nowhere. */
  #goesOn(column: number): boolean {
    const source = this.#source;
    source.skip(false);
    if (source.atDocumentEnd || source.column < column) return false;
    if (source.column > column) source.fail('did not find expected key or indicator');
    return true;
  }

  #implicitKey(column: number): InlineNode {
    const source = this.#source;
    if (this.#at(CHAR.DASH)) source.fail('did not find expected key');
    const node = atProperties(source)
      ? this.#keyWithProperties(column)
      : this.#inline(column, NO_PROPERTIES);
    if (!this.#endsInColon(node) || !this.#flow.isKey(node)) {
      source.fail("could not find expected ':'");
    }
    return node;
  }

  #keyWithProperties(column: number): InlineNode {
    const { line, at: start } = this.#source;
    const properties = readProperties(this.#source);
    return { ...this.#inline(column, properties), line, start };
  }

  /** The source stands at the `:` behind the key. */
  #entry(object: JsonObject, key: InlineNode, column: number): void {
    const name = key.isMerge ? undefined : this.#composer.keyText(key.value);
    this.#source.at++;
    this.#composer.enter(name ?? '');
    const { value, line } = this.#located(column, false);
    this.#composer.leave();
    if (name === undefined) this.#composer.merge(object, value, line);
    else this.#composer.set(object, name, value, line);
  }

  /** A value, and the line that it begins on. */
  #located(column: number, isFresh: boolean): { value: JsonValue; line: number } {
    const source = this.#source;
    const before = source.line;
    source.skip(!isFresh);
    if (!this.#belongs(column, true)) return { value: null, line: before };
    const { line } = source;
    const mayBegin = isFresh || line !== before;
    return { value: this.#content({ indent: column, mayAlign: true, mayBegin }), line };
  }

  /** `? key`, and `: value` on a line of its own. */
  #explicitEntry(object: JsonObject, column: number): void {
    const source = this.#source;
    source.at++;
    this.#composer.enter('');
    const name = this.#composer.keyText(this.#node(column, true, true));
    this.#composer.leave();
    source.skip(false);
    const hasValue = source.column === column && !source.atDocumentEnd && this.#at(CHAR.COLON);
    if (!hasValue) {
      this.#composer.set(object, name, null, source.line);
      return;
    }
    source.at++;
    this.#composer.enter(name);
    const { value, line } = this.#located(column, true);
    this.#composer.leave();
    this.#composer.set(object, name, value, line);
  }
}
