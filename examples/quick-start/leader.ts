import {
  ApiException,
  CoordinationV1Api,
  V1MicroTime,
  type KubeConfig,
  type V1Lease,
} from '@kubernetes/client-node';

/** How long a leader may be silent before another takes over. */
const LEASE_SECONDS = 15;
/** How often the leader renews, and how often the others look. */
const PERIOD_MS = 5000;

/**
 * Waits until this process leads, then keeps the Lease renewed. Ends the process
 * when another one has taken the Lease over: two leaders must not work at once.
 */
export async function becomeLeader(
  config: KubeConfig,
  lease: { readonly namespace: string; readonly name: string },
  identity: string,
): Promise<void> {
  const api = config.makeApiClient(CoordinationV1Api);
  while (!(await hold(api, lease, identity))) await new Promise((go) => setTimeout(go, PERIOD_MS));
  setInterval(() => {
    void hold(api, lease, identity).then((held) => {
      if (!held) process.exit(1);
    });
  }, PERIOD_MS);
}

/** Takes or renews the Lease; false: another process holds it. */
async function hold(
  api: CoordinationV1Api,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  identity: string,
): Promise<boolean> {
  const spec = {
    holderIdentity: identity,
    leaseDurationSeconds: LEASE_SECONDS,
    renewTime: new V1MicroTime(),
  };
  try {
    const found = await read(api, namespace, name);
    if (found === undefined) {
      await api.createNamespacedLease({ namespace, body: { metadata: { name }, spec } });
      return true;
    }
    const renewed = found.spec?.renewTime?.getTime() ?? 0;
    const expired = Date.now() - renewed > LEASE_SECONDS * 1000;
    if (found.spec?.holderIdentity !== identity && !expired) return false;
    // The resourceVersion in `found` makes this fail when another process was faster.
    await api.replaceNamespacedLease({ namespace, name, body: { ...found, spec } });
    return true;
  } catch (error) {
    if (error instanceof ApiException && error.code === 409) return false;
    throw error;
  }
}

async function read(
  api: CoordinationV1Api,
  namespace: string,
  name: string,
): Promise<V1Lease | undefined> {
  try {
    return await api.readNamespacedLease({ namespace, name });
  } catch (error) {
    if (error instanceof ApiException && error.code === 404) return undefined;
    throw error;
  }
}
