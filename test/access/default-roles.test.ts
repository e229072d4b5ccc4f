import assert from 'node:assert/strict';
import { neutralApiVersion, neutralGroup } from '../../api/naming.ts';
import { eventually } from '../support/plinth.ts';
import { isRefused, People } from './people.ts';

/**
 * Who may do what by the roles that every server has: r is to read (get, list,
 * watch), w to write (create, update, patch, delete, deletecollection), c to
 * create alone; x: nothing. Columns are the role, in a namespace and, with a *,
 * everywhere; `guest` is a user without any.
 */
const TABLE = `
  resource                                                                  guest  view edit admin cluster-admin view* edit* admin* cluster-admin*
  coordination.cluster.io/v1 leases                                         x      r    rw   rw    rw            r     rw    rw     rw
  coordination.cluster.io/v1 leases/status                                  x      x    x    x     rw            x     x     x      rw
  events.cluster.io/v1 events                                               x      r    rw   rw    rw            r     rw    rw     rw
  rbac.authorization.cluster.io/v1 roles                                    x      x    x    rw    rw            x     x     rw     rw
  rbac.authorization.cluster.io/v1 rolebindings                             x      x    x    rw    rw            x     x     rw     rw
  authorization.cluster.io/v1 localsubjectaccessreviews                     x      x    x    c     c             x     x     c      c
  example.com/v1 things                                                     x      x    x    x     rw            x     x     x      rw
  v1 configmaps                                                             x      r    rw   rw    rw            r     rw    rw     rw
  v1 events                                                                 x      r    rw   rw    rw            r     rw    rw     rw
  v1 endpoints                                                              x      r    r    r     r             r     r     r      r
  v1 persistentvolumeclaims                                                 x      r    r    r     r             r     r     r      r
  v1 persistentvolumes                                                      x      x    x    x     x             x     x     x      r
  v1 pods                                                                   x      r    r    r     r             r     r     r      r
  v1 replicationcontrollers                                                 x      r    r    r     r             r     r     r      r
  v1 services                                                               x      r    r    r     r             r     r     r      r
  v1 limitranges                                                            x      r    r    r     r             r     r     r      r
  v1 podtemplates                                                           x      r    r    r     r             r     r     r      r
  apps/v1 controllerrevisions                                               x      r    r    r     r             r     r     r      r
  apps/v1 daemonsets                                                        x      r    r    r     r             r     r     r      r
  apps/v1 deployments                                                       x      r    r    r     r             r     r     r      r
  apps/v1 replicasets                                                       x      r    r    r     r             r     r     r      r
  apps/v1 statefulsets                                                      x      r    r    r     r             r     r     r      r
  autoscaling/v2 horizontalpodautoscalers                                   x      r    r    r     r             r     r     r      r
  batch/v1 cronjobs                                                         x      r    r    r     r             r     r     r      r
  batch/v1 jobs                                                             x      r    r    r     r             r     r     r      r
  discovery.k8s.io/v1 endpointslices                                        x      r    r    r     r             r     r     r      r
  networking.k8s.io/v1 ingresses                                            x      r    r    r     r             r     r     r      r
  networking.k8s.io/v1 networkpolicies                                      x      r    r    r     r             r     r     r      r
  policy/v1 poddisruptionbudgets                                            x      r    r    r     r             r     r     r      r
  networking.k8s.io/v1 ingressclasses                                       x      x    x    x     x             x     x     x      r
  scheduling.k8s.io/v1 priorityclasses                                      x      x    x    x     x             x     x     x      r
  storage.k8s.io/v1 storageclasses                                          x      x    x    x     x             x     x     x      r
  v1 resourcequotas                                                         x      r    r    r     rw            r     r     r      rw
  v1 resourcequotas/status                                                  x      r    r    r     rw            r     r     r      rw
  v1 secrets                                                                x      x    rw   rw    rw            x     rw    rw     rw
  v1 serviceaccounts                                                        x      r    rw   rw    rw            r     rw    rw     rw
  v1 serviceaccounts/token                                                  x      x    x    x     rw            x     x     x      rw
  v1 namespaces                                                             x      x    x    x     x             r     r     r      rw
  v1 nodes                                                                  x      x    x    x     x             x     x     x      rw
  certificates.k8s.io/v1 certificatesigningrequests                         x      x    x    x     x             x     x     x      rw
  certificates.k8s.io/v1 certificatesigningrequests/approval                x      x    x    x     x             x     x     x      rw
  certificates.k8s.io/v1 certificatesigningrequests/status                  x      x    x    x     x             x     x     x      rw
  rbac.authorization.cluster.io/v1 clusterroles                             x      x    x    x     x             x     x     x      rw
  rbac.authorization.cluster.io/v1 clusterrolebindings                      x      x    x    x     x             x     x     x      rw
  apiextensions.cluster.io/v1 customresourcedefinitions                     x      x    x    x     x             x     x     x      rw
  apiregistration.cluster.io/v1 apiservices                                 x      x    x    x     x             x     x     x      rw
  coordination.cluster.io/v1beta1 leasecandidates                           x      r    rw   rw    rw            r     rw    rw     rw
  v1 namespaces/status                                                      x      x    x    x     x             r     r     r      rw
  v1 namespaces/finalize                                                    x      x    x    x     x             x     x     x      rw
  v1 nodes/status                                                           x      x    x    x     x             x     x     x      rw
  v1 componentstatuses                                                      x      x    x    x     x             x     x     x      rw
  networking.cluster.io/v1 ipaddresses                                      x      x    x    x     x             x     x     x      rw
  networking.cluster.io/v1 servicecidrs                                     x      x    x    x     x             x     x     x      rw
  networking.cluster.io/v1 servicecidrs/status                              x      x    x    x     x             x     x     x      rw
  node.cluster.io/v1 runtimeclasses                                         x      x    x    x     x             x     x     x      rw
  apiextensions.cluster.io/v1 customresourcedefinitions/status              x      x    x    x     x             x     x     x      rw
  apiregistration.cluster.io/v1 apiservices/status                          x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 mutatingadmissionpolicies             x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 mutatingadmissionpolicybindings       x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 mutatingwebhookconfigurations         x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 validatingadmissionpolicies           x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 validatingadmissionpolicies/status    x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 validatingadmissionpolicybindings     x      x    x    x     x             x     x     x      rw
  admissionregistration.cluster.io/v1 validatingwebhookconfigurations       x      x    x    x     x             x     x     x      rw
  resource.cluster.io/v1 deviceclasses                                      x      x    x    x     x             x     x     x      rw
  authentication.cluster.io/v1 tokenreviews                                 x      x    x    x     x             x     x     x      c
  authorization.cluster.io/v1 subjectaccessreviews                          x      x    x    x     x             x     x     x      c
  authentication.cluster.io/v1 selfsubjectreviews                           c      c    c    c     c             c     c     c      c
  authorization.cluster.io/v1 selfsubjectaccessreviews                      c      c    c    c     c             c     c     c      c
  authorization.cluster.io/v1 selfsubjectrulesreviews                       c      c    c    c     c             c     c     c      c
`;

const GATES =
  'CoordinatedLeaderElection=true,DynamicResourceAllocation=true,TaintTolerationComparisonOperators=true';
const NAMESPACED =
  /configmaps|limitranges|podtemplates|controllerrevisions|sets$|deployments|autoscalers|jobs$|ingresses$|networkpolicies|budgets|endpoints|volumeclaims|pods|replicationcontrollers|resourcequotas|services$|secrets|serviceaccounts|leases|leasecandidates|events|roles$|rolebindings$|localsubject|things/;
const READ = ['get', 'list', 'watch'];
const WRITE = ['create', 'update', 'patch', 'delete', 'deletecollection'];

const [head = '', ...rows] = TABLE.trim().split('\n');
const columns = head.trim().split(/\s+/).slice(1);

/** A request whose only merit is its verb: whatever else is wrong with it is found after authorization. */
function requestFor(verb: string, collection: string): [string, string, string?] {
  const [, resource = collection, part = ''] =
    /^(.*)(\/(?:status|finalize))$/.exec(collection) ?? [];
  const object = `${resource}/none${part}`;
  const bad = 'not json';
  switch (verb) {
    case 'get':
      return ['GET', object];
    case 'list':
      return ['GET', `${collection}?limit=x`];
    case 'watch':
      return ['GET', `${collection}?watch=1&resourceVersion=x`];
    case 'create':
      return ['POST', collection, bad];
    case 'update':
      return ['PUT', object, bad];
    case 'patch':
      return ['PATCH', object, bad];
    case 'delete':
      return ['DELETE', object, bad];
    default:
      return ['DELETE', collection, bad];
  }
}

function allowedVerbs(letters: string): Set<string> {
  return new Set([
    ...(letters.includes('r') ? READ : []),
    ...(letters.includes('w') ? WRITE : []),
    ...(letters === 'c' ? ['create'] : []),
  ]);
}

describe('the default roles, user by verb by resource', () => {
  let people: People;

  before(async function () {
    people = await People.start(Object.fromEntries(columns.map((column) => [column, []])), {
      args: ['--feature-gates', GATES],
    });
    await people.namespace('team');
    for (const column of columns.filter((name) => name !== 'guest')) {
      const everywhere = column.endsWith('*');
      await people.grant(column, column.replace('*', ''), everywhere ? undefined : 'team');
    }
  });
  after(() => people.dispose());

  for (const row of rows) {
    const [groupVersion = '', resource = '', ...letters] = row.trim().split(/\s+/);
    it(`${resource} of ${groupVersion}`, async () => {
      const isNamespaced =
        NAMESPACED.test(`${resource.split('/')[0]}`) && !/^cluster/.test(resource);
      const root = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
      const collection = `${root}/${isNamespaced ? 'namespaces/team/' : ''}${resource}`;
      // The collection of a subresource is that of the resource.
      const verbs = resource.includes('/') ? ['get', 'update', 'patch'] : [...READ, ...WRITE];
      const wrong: string[] = [];
      for (const [i, user] of columns.entries()) {
        const allowed = allowedVerbs(letters[i] ?? '');
        // What only cluster-admin may, it may by any verb: its role names none.
        const isAll = user === 'cluster-admin*' || (user === 'cluster-admin' && isNamespaced);
        for (const verb of verbs) {
          const reply = await people.as(user, ...requestFor(verb, collection));
          const isWanted = isAll || allowed.has(verb);
          if (isRefused(reply) !== !isWanted) wrong.push(`${user} ${verb}: ${reply.status}`);
        }
      }
      assert.deepEqual(wrong, []);
    });
  }

  it('the table has every resource that is served', async () => {
    const served: string[] = [];
    for (const path of ['/api', '/apis']) {
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
      const { json } = await people.plinth.get(path, { accept });
      for (const { metadata, versions } of json.items) {
        // an alias is another name of the same resources
        const group = metadata.name === undefined ? '' : `${neutralGroup(metadata.name)}/`;
        for (const { version, resources } of versions) {
          for (const { resource, subresources = [] } of resources) {
            const names = ['', ...subresources.map((one: any) => `/${one.subresource}`)];
            served.push(...names.map((name) => `${group}${version} ${resource}${name}`));
          }
        }
      }
    }
    const known = rows.map((row) => {
      const [version = '', resource] = row.trim().split(/\s+/);
      return `${neutralApiVersion(version)} ${resource}`;
    });
    assert.deepEqual(
      served.filter((one) => !known.includes(one)),
      [],
    );
  });

  it('a role grants nothing in another namespace', async () => {
    for (const user of ['view', 'edit', 'admin', 'cluster-admin']) {
      const path = '/apis/coordination.cluster.io/v1/namespaces/default/leases';
      assert.ok(isRefused(await people.as(user, 'GET', path)), user);
    }
  });

  it('other paths than resources: discovery for authenticated users, the rest for administrators', async () => {
    const statuses = async (path: string): Promise<number[]> =>
      Promise.all(
        [undefined, 'guest', 'admin*', 'cluster-admin*'].map(async (user) => {
          return (await people.as(user, 'GET', path)).status;
        }),
      );
    for (const path of [
      '/api',
      '/apis',
      '/openapi/v3',
      '/version',
      '/apis/coordination.cluster.io',
    ]) {
      assert.deepEqual(await statuses(path), [401, 200, 200, 200], path);
    }
    for (const path of ['/healthz', '/livez', '/readyz']) {
      assert.deepEqual(await statuses(path), [200, 200, 200, 200], path);
    }
    for (const path of ['/metrics', '/', '/debug/loops', '/readyz/ping']) {
      assert.deepEqual(await statuses(path), [401, 403, 403, 200], path);
    }
  });

  for (const group of ['rbac.authorization.cluster.io', 'rbac.authorization.k8s.io']) {
    it(`a role that ${group} labels as a part of view is one of edit and admin, too, as long as it is`, async () => {
      const roles = `/apis/${group}/v1/clusterroles`;
      const things = '/apis/example.com/v1/namespaces/team/things';
      await people.make('POST', roles, {
        metadata: { name: 'things-viewer', labels: { [`${group}/aggregate-to-view`]: 'true' } },
        rules: [{ verbs: ['list'], apiGroups: ['example.com'], resources: ['things'] }],
      });
      const refused = (user: string) => async (): Promise<boolean> =>
        isRefused(await people.as(user, 'GET', things));
      for (const user of ['view', 'edit', 'admin']) {
        await eventually(async () => !(await refused(user)()), `the right of ${user}`);
      }
      await people.make('DELETE', `${roles}/things-viewer`);
      for (const user of ['view', 'edit', 'admin'])
        await eventually(refused(user), `its end for ${user}`);
    });
  }
});
