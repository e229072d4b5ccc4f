import { shortened } from '../api/shortened.ts';
import { Scanner } from './scanner.ts';

/** One step from a value into it. */
export type PathStep =
  | { readonly kind: 'key'; readonly key: string }
  /** The first item of a list whose field `key` has this text. */
  | { readonly kind: 'item'; readonly key: string; readonly value: string }
  | { readonly kind: 'index'; readonly index: number };

/**
 * Where a value stands in an object: `spec.holderIdentity`,
 * `status.conditions[?type=Ready].status`, `spec.ports[0]`,
 * `metadata.annotations["example.com/team"]`.
 */
export interface ValuePath {
  readonly text: string;
  readonly steps: readonly PathStep[];
}

type ReadPath = { readonly path: ValuePath } | { readonly error: string };

const MAX_PATH_CHARACTERS = 1_024;
const MAX_PATH_STEPS = 32;

/** A key that needs no quotes. */
const KEY = /[\p{L}\p{N}_$/-]+/uy;
const INDEX = /\d{1,9}/y;
/** The text that an item's field has, without quotes. */
const BARE_VALUE = /[^\]"'\\,=]*/y;

/** Reads a text that is a path as a whole. */
export function parseValuePath(text: string): ReadPath {
  const scanner = new Scanner(text);
  const read = readValuePath(scanner);
  if ('error' in read || scanner.atEnd) return read;
  return { error: unreadable(scanner) };
}

/**
 * Reads the path that stands at the scanner, as far as it goes. An error tells
 * the character at which it cannot be read, counted from 1.
 */
export function readValuePath(scanner: Scanner): ReadPath {
  const start = scanner.at;
  const steps: PathStep[] = [];
  do {
    const step = nextStep(scanner, steps.length === 0);
    if (step === undefined) return { error: unreadable(scanner) };
    steps.push(step);
    if (steps.length > MAX_PATH_STEPS) {
      return { error: `a path has at most ${MAX_PATH_STEPS} steps` };
    }
  } while (scanner.next() === '.' || scanner.next() === '[');
  const text = scanner.text.slice(start, scanner.at);
  if (text.length > MAX_PATH_CHARACTERS) {
    return { error: `a path has at most ${MAX_PATH_CHARACTERS} characters` };
  }
  return { path: { text, steps } };
}

/** What cannot be read, in words. */
export function unreadable({ text, at }: Scanner): string {
  const found = at === text.length ? 'it ends' : `${JSON.stringify(text[at])} stands`;
  return `cannot read ${JSON.stringify(shortened(text, MAX_EXCERPT))}: ${found} at character ${at + 1}`;
}

const MAX_EXCERPT = 200;

function nextStep(scanner: Scanner, isFirst: boolean): PathStep | undefined {
  if (scanner.take('[')) {
    const step = inBrackets(scanner);
    return step !== undefined && scanner.take(']') ? step : undefined;
  }
  if (!isFirst && !scanner.take('.')) return undefined;
  const key = scanner.match(KEY);
  return key === undefined ? undefined : { kind: 'key', key };
}

function inBrackets(scanner: Scanner): PathStep | undefined {
  if (scanner.take('?')) {
    const key = scanner.quoted() ?? scanner.match(KEY);
    if (key === undefined || !scanner.take('=')) return undefined;
    const value = scanner.quoted() ?? scanner.match(BARE_VALUE);
    return value === undefined ? undefined : { kind: 'item', key, value };
  }
  const key = scanner.quoted();
  if (key !== undefined) return { kind: 'key', key };
  const index = scanner.match(INDEX);
  return index === undefined ? undefined : { kind: 'index', index: Number(index) };
}
