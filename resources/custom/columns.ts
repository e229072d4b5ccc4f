import { isObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { age, parseTime } from '../../api/time.ts';
import { formatGeneral } from '../../cel/value/double.ts';
import type { CrdColumn } from '../apiextensions/crd-types.ts';
import { ageColumn, nameColumn, textAt } from '../columns.ts';
import type { Column } from '../definition.ts';
import { firstAt } from '../json-path/evaluate.ts';
import { parseJsonPath } from '../json-path/parse.ts';
import type { JsonPath } from '../json-path/steps.ts';
import { JsonPathError } from '../json-path/quoted.ts';

/** Like other dates, and unlike the age of built-in kinds, null for what was never created. */
const createdColumn: Column = {
  ...ageColumn,
  type: 'date',
  cell(object, now) {
    const created = textAt(object, 'metadata', 'creationTimestamp');
    return created === '' ? null : age(created, now);
  },
};
const CREATED_PATH = '.metadata.creationTimestamp';

/** The name, and what the definition wants shown: the age when it says nothing. Source: behaviours 7.11. */
export function customColumns(columns: readonly CrdColumn[] | undefined): readonly Column[] {
  if (columns === undefined || columns.length === 0) return DEFAULT_COLUMNS;
  return [nameColumn, ...columns.map(customColumn)];
}

const DEFAULT_COLUMNS: readonly Column[] = [nameColumn, createdColumn];

function customColumn(given: CrdColumn): Column {
  const { name, format = '', description = '', priority = 0, jsonPath } = given;
  const type = given.type as Column['type'];
  const valueAt = lookUp(jsonPath);
  const column: Omit<Column, 'cell'> = {
    name,
    type,
    format,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
  };
  if (type === 'date') {
    if (jsonPath === CREATED_PATH) return { ...column, cell: createdColumn.cell, isAge: true };
    return { ...column, cell: (object, now) => dateCell(valueAt(object), now) };
  }
  return { ...column, cell: (object) => cellOf(type, valueAt(object)) };
}

/** The first value at a path, which is read when it is first asked for. */
function lookUp(jsonPath: string): (object: JsonObject) => JsonValue | undefined {
  let path: JsonPath | undefined;
  return (object) => firstAt((path ??= pathOf(jsonPath)), object);
}

/** A path that cannot be read leads nowhere: definitions are accepted with them. */
function pathOf(jsonPath: string): JsonPath {
  try {
    return parseJsonPath(jsonPath);
  } catch (error) {
    if (error instanceof JsonPathError) return NOWHERE;
    throw error;
  }
}
const NOWHERE: JsonPath = [{ step: 'union', choices: [] }];

/** A value of another type than its column's shows as null. Source: as {@link customColumns}. */
function cellOf(type: Exclude<Column['type'], 'date'>, value: JsonValue | undefined): JsonValue {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return textOf(value);
    case 'integer':
      if (typeof value === 'bigint') return value;
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' || typeof value === 'bigint' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
  }
}

function dateCell(value: JsonValue | undefined, now: number): JsonValue {
  if (typeof value !== 'string') return null;
  if (NO_TIME.includes(value)) return age(undefined, now);
  return parseTime(value) === undefined ? '<invalid>' : age(value, now);
}

/** Texts that stand for no time at all, other than those that are wrong. */
const NO_TIME: readonly string[] = ['', 'null'];

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<no value>';
  if (typeof value === 'number' && !isWhole(value)) return formatGeneral(value);
  return isObject(value) || Array.isArray(value) ? jsonText(value) : String(value);
}

/** As Go writes JSON, which may stand in a page of HTML or a script. Source: encoding/json, Marshal. */
function jsonText(value: JsonValue): string {
  return stringifyJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < WHOLE_BELOW;
}

/** Larger numbers do not fit an int64 and are shown like those with a fraction. */
const WHOLE_BELOW = 2 ** 63;
