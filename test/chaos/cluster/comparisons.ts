import { eventually } from '../../support/plinth.ts';
import type { Violation } from '../checker/history.ts';
import { Http } from '../traffic/http.ts';
import type { ChaosCluster } from './cluster.ts';

const CALL_MS = 5_000;
/** Of each server; more than it says in a day. */
const LOG_LINES = 1_000_000;
const DIFFERENCE = /keys differ/;

/**
 * What the servers have found when they compared what they show with what etcd
 * holds, and whether they still do so.
 */
export async function differing(cluster: ChaosCluster): Promise<Violation[]> {
  const http = new Http(CALL_MS);
  try {
    for (const plinth of cluster.plinths) {
      const equal = async (): Promise<number> => {
        const text = await http.text(`${cluster.url(plinth)}/metrics`).catch(() => '');
        return Number(/^plinth_replica_comparisons_total{result="equal"} (\d+)$/m.exec(text)?.[1]);
      };
      const before = await equal();
      await eventually(async () => (await equal()) > before, `${plinth.name} compares itself`);
    }
  } finally {
    http.close();
  }
  // Of all processes that the containers have had.
  const logs = await Promise.all(cluster.plinths.map((plinth) => plinth.log(LOG_LINES)));
  const guarantee = 'replicas are equal to the store';
  return logs
    .flatMap((log) => log.split('\n'))
    .filter((line) => DIFFERENCE.test(line))
    .map((what) => ({ guarantee, what }));
}
