import { exactText } from '../../client/exact.ts';

/** A value of a document. Integers are exact: those that a number cannot hold are a bigint. */
export type Data = null | boolean | number | bigint | string | Data[] | DataMap;
export interface DataMap {
  [key: string]: Data;
}

/** Steps to a value: a key, a position, or an item of a list by its keys. */
export type Step = string | number | { readonly keys: Readonly<Record<string, Data>> };
export type Path = readonly Step[];

/** A map, not a list, a scalar or null. */
export function isDataMap(value: Data | undefined): value is DataMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a key that comes from a user; inherited properties are not values. */
export function own(map: DataMap, key: string): Data | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Writes a key that a user has chosen, `__proto__` included. */
export function put(map: DataMap, key: string, value: Data): void {
  Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Whether two values are the same; `1` and `1n` are. */
export function sameData(a: Data | undefined, b: Data | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => sameData(item, b[i]));
  }
  if (isDataMap(a) && isDataMap(b)) {
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key]))
    );
  }
  const isNumber = (value: unknown): value is number | bigint =>
    typeof value === 'number' || typeof value === 'bigint';
  // eslint-disable-next-line eqeqeq -- a number and a bigint of the same value are equal
  return a === b || (isNumber(a) && isNumber(b) && a == b);
}

/** Whether an item of a list has these keys. */
export function hasKeys(item: Data, keys: Readonly<Record<string, Data>>): boolean {
  return (
    isDataMap(item) && Object.entries(keys).every(([key, value]) => sameData(own(item, key), value))
  );
}

/** The value at a path; undefined where it leads to nothing. */
export function dataAt(value: Data | undefined, path: Path): Data | undefined {
  return path.reduce<Data | undefined>((here, step) => {
    if (typeof step === 'string') return isDataMap(here) ? own(here, step) : undefined;
    if (!Array.isArray(here)) return undefined;
    return typeof step === 'number' ? here[step] : here.find((item) => hasKeys(item, step.keys));
  }, value);
}

/** A document without the value at a path. The document itself stays as it is. */
export function without(value: Data, path: Path): Data {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === 'string') {
    if (!isDataMap(value) || !Object.hasOwn(value, step)) return value;
    const copy: DataMap = {};
    for (const [key, each] of Object.entries(value)) {
      if (key !== step) put(copy, key, each);
      else if (rest.length > 0) put(copy, key, without(each, rest));
    }
    return copy;
  }
  if (!Array.isArray(value)) return value;
  return value.flatMap((item, i) => {
    const isIt = typeof step === 'number' ? i === step : hasKeys(item, step.keys);
    if (!isIt) return [item];
    return rest.length === 0 ? [] : [without(item, rest)];
  });
}

/** A document with another value at a path; maps on the way are made. Undefined: without it. */
export function withData(value: Data | undefined, path: Path, next: Data | undefined): Data {
  if (next === undefined) return value === undefined ? null : without(value, path);
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === 'string') {
    const copy: DataMap = {};
    const before = isDataMap(value) ? value : {};
    for (const [key, each] of Object.entries(before)) put(copy, key, each);
    put(copy, step, withData(own(before, step), rest, next));
    return copy;
  }
  const list = Array.isArray(value) ? [...value] : [];
  const found =
    typeof step === 'number' ? step : list.findIndex((item) => hasKeys(item, step.keys));
  const at = found < 0 ? list.length : found;
  list[at] = withData(
    list[at] ?? (typeof step === 'number' ? undefined : { ...step.keys }),
    rest,
    next,
  );
  return list;
}

/** A path as people write it: `spec.users[name="app"].admin`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (typeof step === 'object') {
      const keys = Object.entries(step.keys).map(([key, value]) => `${key}=${exactText(value)}`);
      return `${text}[${keys.join(',')}]`;
    }
    if (!/^[A-Za-z_][\w-]*$/.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}
