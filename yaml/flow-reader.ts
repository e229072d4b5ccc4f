import type { JsonObject, JsonValue } from '../api/json.ts';
import type { Composer } from './composer.ts';
import { atPlainScalar, readPlainScalar } from './plain-scalar.ts';
import { atProperties, NO_PROPERTIES, readName, readProperties } from './properties.ts';
import { readQuotedScalar } from './quoted-scalar.ts';
import { CHAR, type Source } from './source.ts';

/** Longest key that may stand before its `:` without a `?`. */
const MAX_SIMPLE_KEY = 1024;

/** A node that stands on its own line or inside brackets. */
export interface InlineNode {
  readonly value: JsonValue;
  /** Where it begins. */
  readonly line: number;
  readonly start: number;
  /** What a scalar says, before it is resolved; undefined for collections and aliases. */
  readonly text: string | undefined;
  readonly isPlain: boolean;
  /** The bare word `<<`. */
  readonly isMerge: boolean;
}

/** Reads scalars, aliases, and collections in brackets, where indentation does not count. */
export class FlowReader {
  readonly #source: Source;
  readonly #composer: Composer;

  constructor(source: Source, composer: Composer) {
    this.#source = source;
    this.#composer = composer;
  }

  /**
   * Reads a node; undefined when none begins here. A plain scalar outside of
   * brackets goes on over lines that are indented by more than `indent`.
   */
  inline(indent: number, isFlow: boolean, properties = NO_PROPERTIES): InlineNode | undefined {
    const source = this.#source;
    const { line, at: start } = source;
    const code = source.code();
    if (code === CHAR.STAR) {
      if (properties !== NO_PROPERTIES) source.fail('did not find expected node content');
      const value = this.#composer.alias(readName(source, 'alias'));
      return { value, line, start, text: undefined, isPlain: false, isMerge: false };
    }
    const { anchor, tag } = properties;
    if (anchor !== undefined) this.#composer.open(anchor);
    let text: string | undefined;
    let isPlain = false;
    let value: JsonValue;
    if (code === CHAR.QUOTE || code === CHAR.APOSTROPHE) {
      text = readQuotedScalar(source);
      value = this.#composer.scalar(text, false, tag);
    } else if (code === CHAR.OPEN_BRACKET) {
      value = this.#sequence();
    } else if (code === CHAR.OPEN_BRACE) {
      value = this.#mapping();
    } else if (atPlainScalar(source, isFlow)) {
      text = readPlainScalar(source, indent, isFlow);
      isPlain = true;
      value = this.#composer.scalar(text, true, tag);
    } else {
      this.#refuseReserved();
      if (properties === NO_PROPERTIES) return undefined;
      value = this.#composer.scalar('', true, tag);
    }
    if (anchor !== undefined) this.#composer.close(anchor, value);
    const isMerge = isPlain && text === '<<' && tag === undefined;
    return { value, line, start, text, isPlain, isMerge };
  }

  /** Is the source, behind a node that began at `node`, at a `:` that makes it a key? */
  isKey(node: InlineNode): boolean {
    const source = this.#source;
    return source.line === node.line && source.at - node.start <= MAX_SIMPLE_KEY;
  }

  #refuseReserved(): void {
    const code = this.#source.code();
    if (code === CHAR.PERCENT || code === CHAR.AT || code === CHAR.BACKTICK || code === CHAR.TAB) {
      this.#source.fail('found character that cannot start any token');
    }
  }

  /** A node inside brackets, with what stands before it. */
  #node(): InlineNode | undefined {
    const source = this.#source;
    if (!atProperties(source)) return this.inline(-1, true);
    const { line, at: start } = source;
    const properties = readProperties(source);
    source.skip(true, true);
    const node = this.inline(-1, true, properties);
    return node === undefined ? undefined : { ...node, line, start };
  }

  #sequence(): JsonValue {
    const source = this.#source;
    const startLine = source.line;
    const items: JsonValue[] = [];
    source.at++;
    for (;;) {
      this.#next(startLine);
      if (source.code() === CHAR.CLOSE_BRACKET) break;
      this.#composer.enter(items.length);
      items.push(this.#sequenceItem());
      this.#composer.leave();
      this.#next(startLine);
      if (source.code() === CHAR.COMMA) source.at++;
      else if (source.code() !== CHAR.CLOSE_BRACKET)
        source.fail("did not find expected ',' or ']'");
    }
    source.at++;
    return items;
  }

  /** An item; `a: b` is a mapping with one key. */
  #sequenceItem(): JsonValue {
    const source = this.#source;
    const pair: JsonObject = {};
    if (this.#atExplicitKey()) {
      this.#pair(pair);
      return pair;
    }
    const node = this.#node();
    if (node === undefined && source.code() !== CHAR.COLON) {
      source.fail('did not find expected node content');
    }
    source.skipBlanks();
    if (source.code() !== CHAR.COLON || (node !== undefined && !this.isKey(node))) {
      return node?.value ?? null;
    }
    this.#value(pair, node);
    return pair;
  }

  #mapping(): JsonValue {
    const source = this.#source;
    const startLine = source.line;
    const object: JsonObject = {};
    source.at++;
    for (;;) {
      this.#next(startLine);
      if (source.code() === CHAR.CLOSE_BRACE) break;
      this.#pair(object);
      this.#next(startLine);
      if (source.code() === CHAR.COMMA) source.at++;
      else if (source.code() !== CHAR.CLOSE_BRACE) source.fail("did not find expected ',' or '}'");
    }
    source.at++;
    return object;
  }

  #atExplicitKey(): boolean {
    return this.#source.code() === CHAR.QUESTION;
  }

  #pair(object: JsonObject): void {
    const source = this.#source;
    const isExplicit = this.#atExplicitKey();
    if (isExplicit) {
      source.at++;
      source.skip(true, true);
    }
    this.#composer.enter('');
    const node = this.#node();
    this.#composer.leave();
    if (node === undefined && !isExplicit && source.code() !== CHAR.COLON) {
      source.fail('did not find expected node content');
    }
    if (isExplicit) source.skip(true, true);
    else source.skipBlanks();
    const hasValue =
      source.code() === CHAR.COLON && (isExplicit || node === undefined || this.isKey(node));
    if (hasValue) this.#value(object, node);
    else this.#composer.set(object, this.#keyText(node), null, source.line);
  }

  /** The `:` and what follows it. */
  #value(object: JsonObject, key: InlineNode | undefined): void {
    const source = this.#source;
    const name = key?.isMerge === true ? undefined : this.#keyText(key);
    source.at++;
    this.#composer.enter(name ?? '');
    source.skip(true, true);
    const { line } = source;
    const value = this.#node()?.value ?? null;
    this.#composer.leave();
    if (name === undefined) this.#composer.merge(object, value, line);
    else this.#composer.set(object, name, value, line);
  }

  #keyText(node: InlineNode | undefined): string {
    return this.#composer.keyText(node?.value ?? null);
  }

  /** To the next token of a collection that must still be closed. */
  #next(startLine: number): void {
    this.#source.skip(true, true);
    if (this.#source.atDocumentEnd) {
      this.#source.fail('did not find the end of a collection in brackets', startLine);
    }
  }
}
