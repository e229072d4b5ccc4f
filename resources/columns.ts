import { getPath, type JsonObject } from '../api/json.ts';
import { age } from '../api/time.ts';
import type { Column } from './definition.ts';

/** The columns that most kinds begin and end with, and short ways to write the others. */

/** Shown in wide output only. */
export const WIDE = 1;

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique among its kind in its namespace.',
  priority: 0,
  cell: (object) => textAt(object, 'metadata', 'name'),
};

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  format: '',
  description: 'How long ago the object was created.',
  priority: 0,
  cell: (object, now) => age(textAt(object, 'metadata', 'creationTimestamp'), now),
  isAge: true,
};

/** What clients have always read of an object that was never created: the object of a bookmark. */
const NEVER = '0001-01-01T00:00:00Z';

/** For kinds without columns of their own: when the object was created. */
export const createdAtColumn: Column = {
  name: 'Created At',
  type: 'date',
  format: '',
  description: 'When the object was created.',
  priority: 0,
  cell: (object) => textAt(object, 'metadata', 'creationTimestamp') || NEVER,
};

/** A column whose cells are text. Columns of a priority above 0 are for wide tables. */
export function textColumn(
  name: string,
  description: string,
  cell: (object: JsonObject, now: number) => string,
  priority = 0,
): Column {
  return { name, type: 'string', format: '', description, priority, cell };
}

/** A column with the text at a path; empty where there is none. */
export function pathColumn(name: string, description: string, ...path: string[]): Column {
  return textColumn(name, description, (object) => textAt(object, ...path));
}

/** The text at a path of literal keys; empty where there is none. */
export function textAt(object: JsonObject, ...path: string[]): string {
  const value = getPath(object, ...path);
  return typeof value === 'string' ? value : '';
}

/** A column with the length of the list at a path. */
export function countColumn(name: string, description: string, ...path: string[]): Column {
  return {
    name,
    type: 'integer',
    format: '',
    description,
    priority: 0,
    cell(object) {
      const items = getPath(object, ...path);
      return Array.isArray(items) ? items.length : 0;
    },
  };
}
