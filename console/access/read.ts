import { getJson } from '../api/http.ts';
import { listAt, type Json } from '../api/json.ts';
import { grantsOf, type Grant } from './why.ts';

const RBAC = '/apis/rbac.authorization.cluster.io/v1';
/** Objects of a list that are read. */
const MOST = 5_000;

/** All grants, as far as the user may read them. @throws Refused, Unreachable */
export async function readGrants(): Promise<Grant[]> {
  const read = async (plural: string): Promise<Json[]> =>
    listAt(await getJson(`${RBAC}/${plural}?managedFields=omit&limit=${MOST}`), 'items');
  const [roles, clusterRoles, bindings, clusterBindings] = await Promise.all([
    read('roles'),
    read('clusterroles'),
    read('rolebindings'),
    read('clusterrolebindings'),
  ]);
  return grantsOf({ roles, clusterRoles, bindings, clusterBindings });
}
