import type { JSX } from 'preact';
import { readGrants } from '../access/read.ts';
import { isMeant, reasonsFor, subjectText, verdictOf, type Grant } from '../access/why.ts';
import { postJson, sentenceOf } from '../api/http.ts';
import { resourceName, type Kind } from '../api/kind.ts';
import { Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { TextInput } from '../parts/text-input.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { kinds } from '../state/catalog.ts';
import { askPage, chosenNamespace } from '../state/place.ts';
import { namespaces } from '../state/namespaces.ts';
import { ownNamespaces, seesEverywhere } from '../state/own-namespaces.ts';
import { may, me } from '../state/rights.ts';
import { hashOf, objectHash } from '../state/route.ts';

type Parameters = Readonly<Record<string, string>>;

const VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;
/** Namespaces that the box suggests; others are typed. */
const MOST_NAMES = 200;
const RBAC = { group: 'rbac.authorization.cluster.io', version: 'v1' };

/** Who may do what, and why. */
export function Access({ parameters }: { readonly parameters: Parameters }): JSX.Element {
  const tab = parameters.tab ?? 'mine';
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Access</h1>
      </header>
      <Tabs
        label="Questions about access"
        chosen={tab}
        tabs={[
          ['mine', 'What may I do?'],
          ['who', 'Who may do it, and why?'],
        ]}
        hashOf={(id) => hashOf({ view: 'access', parameters: { ...parameters, tab: id } })}
      />
      {tab === 'who' ? <Who parameters={parameters} /> : <Mine parameters={parameters} />}
    </section>
  );
}

function NamespaceInput({ value }: { readonly value: string }): JSX.Element {
  const { held, isListed } = namespaces.value;
  const names = isListed ? held : ownNamespaces.value;
  return (
    <label class="field">
      <span>Namespace</span>
      <TextInput
        list="access-namespaces"
        value={value}
        placeholder="all"
        change={(text) => askPage({ namespace: text })}
      />
      <datalist id="access-namespaces">
        {names.slice(0, MOST_NAMES).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  );
}

function Mine({ parameters }: { readonly parameters: Parameters }): JSX.Element {
  // without rights everywhere, those of the namespace that one works in are of interest
  const first = seesEverywhere.value ? '' : chosenNamespace.value;
  const namespace = parameters.namespace ?? first;
  const listed = (kinds.value ?? []).filter((kind) =>
    VERBS.some((verb) => may(verb, kind, namespace)),
  );
  return (
    <>
      <p>
        You are <strong>{me.value?.name}</strong>
        {(me.value?.groups.length ?? 0) > 0 && (
          <span class="dim"> in {me.value?.groups.join(', ')}</span>
        )}
        .
      </p>
      <div class="inline">
        <NamespaceInput value={namespace} />
      </div>
      {listed.length === 0 ? (
        <Notice title="You may do nothing here" icon="access">
          Choose another namespace, or ask an administrator for a role.
        </Notice>
      ) : (
        <div class="card flush scroll" tabIndex={0} role="region" aria-label="My rights">
          <table>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                {VERBS.map((verb) => (
                  <th key={verb} scope="col">
                    {verb}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {listed.map((kind) => (
                <tr key={resourceName(kind)}>
                  <th scope="row">
                    {kind.kind} <small class="dim">{kind.group}</small>
                  </th>
                  {VERBS.map((verb) => (
                    <td key={verb}>
                      {may(verb, kind, namespace) ? (
                        <span class="yes">yes</span>
                      ) : (
                        <span class="dim">{kind.verbs.has(verb) ? 'no' : '–'}</span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Who({ parameters }: { readonly parameters: Parameters }): JSX.Element {
  const { user = '', verb = 'get', kind: name = 'configmaps', namespace = '' } = parameters;
  const all = kinds.value ?? [];
  const kind = all.find((each) => resourceName(each) === name) ?? all[0];
  const { state } = useReading(readGrants, []);
  const { value: grants, error } = state.value;
  return (
    <>
      <div class="inline">
        <label class="field">
          <span>Verb</span>
          <select
            value={verb}
            onChange={({ currentTarget }) => askPage({ verb: currentTarget.value })}
          >
            {VERBS.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Kind</span>
          <select
            value={kind && resourceName(kind)}
            onChange={({ currentTarget }) => askPage({ kind: currentTarget.value })}
          >
            {all.map((each) => (
              <option key={resourceName(each)} value={resourceName(each)}>
                {each.kind} {each.group}
              </option>
            ))}
          </select>
        </label>
        <NamespaceInput value={namespace} />
        <label class="field">
          <span>User</span>
          <TextInput value={user} placeholder="anyone" change={(text) => askPage({ user: text })} />
        </label>
      </div>
      {user !== '' && kind !== undefined && (
        <Verdict user={user} verb={verb} kind={kind} namespace={namespace} />
      )}
      {error !== undefined && <p class="error">{error.message}</p>}
      {grants !== undefined && kind !== undefined && (
        <Reasons grants={grants} verb={verb} kind={kind} namespace={namespace} user={user} />
      )}
    </>
  );
}

interface QuestionProps {
  readonly verb: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly user: string;
}

/** The server's own answer about a user, all authorizers included. */
function Verdict({ user, verb, kind, namespace }: QuestionProps): JSX.Element {
  const { state } = useReading(async () => {
    const resourceAttributes = {
      verb,
      group: kind.group,
      version: kind.version,
      resource: kind.plural,
      namespace,
    };
    const review = await postJson('/apis/authorization.cluster.io/v1/subjectaccessreviews', {
      apiVersion: 'authorization.cluster.io/v1',
      kind: 'SubjectAccessReview',
      spec: { user, groups: ['system:authenticated'], resourceAttributes },
    });
    return verdictOf(review);
  }, [user, verb, kind, namespace]);
  const { value, error } = state.value;
  if (error !== undefined)
    return <p class="dim">The server does not tell about other users: {sentenceOf(error)}</p>;
  if (value === undefined) return <p class="dim">Asking…</p>;
  return (
    <p class={value.isAllowed ? 'banner good' : 'banner'} role="status">
      <strong>{user}</strong> {value.isAllowed ? 'may' : 'may not'} {verb} {kind.plural}
      {namespace === '' ? '' : ` in ${namespace}`}. {value.reason}
    </p>
  );
}

function Reasons({
  grants,
  verb,
  kind,
  namespace,
  user,
}: QuestionProps & { readonly grants: readonly Grant[] }): JSX.Element {
  const right = { verb, group: kind.group, resource: kind.plural };
  const reasons = reasonsFor(grants, right, kind.namespaced ? namespace : '');
  if (reasons.length === 0) {
    return (
      <Notice title="No role grants this" icon="access">
        A Role or ClusterRole with a binding would.
      </Notice>
    );
  }
  return (
    <ul class="column">
      {reasons.map(({ grant, rule, subjects }) => {
        const bindingKind = {
          ...RBAC,
          plural: grant.namespace === '' ? 'clusterrolebindings' : 'rolebindings',
        };
        const roleKind = { ...RBAC, plural: grant.isClusterRole ? 'clusterroles' : 'roles' };
        return (
          <li key={`${grant.namespace}/${grant.binding}`} class="card">
            <p class="chips">
              {subjects.length === 0 && <span class="dim">no subjects</span>}
              {subjects.map((subject) => (
                <span
                  key={subjectText(subject)}
                  class={`chip${user !== '' && isMeant(subject, user, ['system:authenticated']) ? ' hit' : ''}`}
                >
                  {subjectText(subject)}
                </span>
              ))}
            </p>
            <p>
              by the binding{' '}
              <a href={objectHash(bindingKind, grant.namespace, grant.binding)}>{grant.binding}</a>
              {grant.namespace === '' ? ', everywhere,' : ` in ${grant.namespace},`} to the role{' '}
              <a
                href={objectHash(roleKind, grant.isClusterRole ? '' : grant.namespace, grant.role)}
              >
                {grant.role}
              </a>
            </p>
            <p class="dim">
              whose rule allows {rule.verbs.join(', ')} on {rule.resources.join(', ')} of{' '}
              {rule.groups.map((group) => group || 'core').join(', ')}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
