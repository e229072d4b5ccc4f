import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiObject } from '../../api/object.ts';
import { fillDirectory } from '../../bench/load/filled-store.ts';

/** The table of what {@link filledWithMaps} makes. */
export const MAPS = '#/kind/core/v1/configmaps?namespace=default';

export const mapName = (i: number): string => `map-${String(i).padStart(6, '0')}`;

/** A data directory with this many ConfigMaps, `map-000000`, `map-000001`, …. */
export async function filledWithMaps(count: number): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plinth-many-'));
  const make = (i: number): ApiObject => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap' },
    metadata: {
      ...{ name: mapName(i), namespace: 'default' },
      ...{ uid: randomUUID(), creationTimestamp: '2026-01-02T03:04:05Z' },
    },
  });
  await fillDirectory(dataDir, [{ prefix: 'configmaps/', count, make }]);
  return dataDir;
}
