import { isObject, type JsonValue } from '../../api/json.ts';
import { stringifyJson } from '../../api/json-write.ts';
import { age, parseTime } from '../../api/time.ts';
import type { CrdColumn } from '../apiextensions/crd-types.ts';
import { nameColumn, textAt } from '../columns.ts';
import type { Column } from '../definition.ts';
import { firstAt } from './json-path/evaluate.ts';
import { JsonPathError, parseJsonPath } from './json-path/parse.ts';
import type { JsonPath } from './json-path/steps.ts';

const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: 'How long ago the object was created.',
  priority: 0,
  cell: (object, now) => age(textAt(object, 'metadata', 'creationTimestamp'), now),
};

/** The name, and what the definition wants shown: the age when it says nothing. Source: behaviours 7.11. */
export function customColumns(columns: readonly CrdColumn[] | undefined): readonly Column[] {
  if (columns === undefined || columns.length === 0) return DEFAULT_COLUMNS;
  return [nameColumn, ...columns.map(customColumn)];
}

const DEFAULT_COLUMNS: readonly Column[] = [nameColumn, ageColumn];

function customColumn(column: CrdColumn): Column {
  const { name, format = '', description = '', priority = 0, jsonPath } = column;
  const type = column.type as Column['type'];
  let path: JsonPath | undefined;
  return {
    name,
    type,
    format,
    description:
      description === ''
        ? `Custom resource definition column (in JSONPath format): ${jsonPath}`
        : description,
    priority,
    cell(object, now) {
      path ??= pathOf(jsonPath);
      const value = firstAt(path, object);
      return value === undefined ? null : cellOf(type, value, now);
    },
  };
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
function cellOf(type: Column['type'], value: JsonValue, now: number): JsonValue {
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
    case 'date':
      if (typeof value !== 'string') return null;
      return parseTime(value) === undefined ? '<invalid>' : age(value, now);
  }
}

function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '<no value>';
  return isObject(value) || Array.isArray(value) ? stringifyJson(value) : String(value);
}
