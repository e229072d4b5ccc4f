import { signal } from '@preact/signals';
import { getJson } from '../api/http.ts';
import { listAt, textAt } from '../api/json.ts';
import type { Kind } from '../api/kind.ts';
import type { Column } from './rows.ts';

/** Paths by the names of columns, for custom kinds that have been looked at. */
const custom = signal<ReadonlyMap<string, ReadonlyMap<string, string>>>(new Map());
const asked = new Set<string>();

const keyOf = ({ group, version, plural }: Kind): string => `${plural}.${version}.${group}`;

/** The path by which the server orders a column; undefined where it is not known. */
export function orderFor(kind: Kind, column: Column, index: number): string | undefined {
  if (index === 0) return 'metadata.name';
  if (column.name === 'Age') return 'metadata.creationTimestamp';
  if (kind.group === '' || kind.group.endsWith('.cluster.io')) return undefined;
  void readPaths(kind);
  return custom.value.get(keyOf(kind))?.get(column.name);
}

/** Reads the columns of a custom kind from its definition, once. */
async function readPaths(kind: Kind): Promise<void> {
  const key = keyOf(kind);
  if (asked.has(key)) return;
  asked.add(key);
  try {
    const definition = await getJson(
      `/apis/apiextensions.cluster.io/v1/customresourcedefinitions/${kind.plural}.${kind.group}?managedFields=omit`,
    );
    const version = listAt(definition, 'spec', 'versions').find(
      (each) => textAt(each, 'name') === kind.version,
    );
    const paths = listAt(version, 'additionalPrinterColumns').flatMap((column) => {
      const path = textAt(column, 'jsonPath').replace(/^\./, '');
      // Conditions of a list are written differently there and here; simple paths are the same.
      return /^[\w.]+$/.test(path) ? [[textAt(column, 'name'), path] as const] : [];
    });
    custom.value = new Map(custom.value).set(key, new Map(paths));
  } catch {
    // Without the right to read definitions the columns cannot be ordered by.
  }
}
