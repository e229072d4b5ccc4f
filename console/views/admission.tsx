import type { JSX } from 'preact';
import { getJson } from '../api/http.ts';
import { at, entriesAt, listAt, shortText, textAt, type Json } from '../api/json.ts';
import { Failure, Loading, Notice } from '../parts/notice.tsx';
import { useReading } from '../parts/reading.ts';
import { objectHash } from '../state/route.ts';
import { ActivityNote, Matched, useActivities, type Activities } from './activity.tsx';

const GROUP = { group: 'admissionregistration.cluster.io', version: 'v1' };
const PLURALS = [
  ...['mutatingwebhookconfigurations', 'mutatingadmissionpolicies'],
  ...['validatingadmissionpolicies', 'validatingwebhookconfigurations'],
  ...['mutatingadmissionpolicybindings', 'validatingadmissionpolicybindings'],
] as const;

const KINDS: Readonly<Record<string, string>> = {
  mutatingwebhookconfigurations: 'MutatingWebhookConfiguration',
  validatingwebhookconfigurations: 'ValidatingWebhookConfiguration',
  mutatingadmissionpolicies: 'MutatingAdmissionPolicy',
  validatingadmissionpolicies: 'ValidatingAdmissionPolicy',
};

type Lists = ReadonlyMap<string, readonly Json[]>;

/** What takes part in writes, in the order in which it is asked, and what each part matches. */
export function Admission(): JSX.Element {
  const { state, again } = useReading(async (signal) => {
    const lists = await Promise.all(
      PLURALS.map(async (plural) => {
        const list = await getJson(`/apis/${GROUP.group}/v1/${plural}?managedFields=omit`, {
          signal,
        });
        return [plural, listAt(list, 'items')] as const;
      }),
    );
    return new Map(lists) satisfies Lists;
  }, []);
  const activities = useActivities();
  const { value, error } = state.value;
  if (error !== undefined) return <Failure error={error} retry={again} />;
  if (value === undefined) return <Loading />;
  const of = (plural: (typeof PLURALS)[number]): readonly Json[] => value.get(plural) ?? [];
  const isEmpty = PLURALS.every((plural) => of(plural).length === 0);
  return (
    <section class="page" aria-labelledby="title">
      <header class="page-head">
        <h1 id="title">Admission</h1>
        <span class="dim">
          Who changes or refuses writes, in the order in which they are asked.
        </span>
      </header>
      {isEmpty && (
        <Notice title="No webhooks and no policies" icon="admission">
          Every write that the schema and the roles allow goes through.
        </Notice>
      )}
      {!isEmpty && <ActivityNote of={activities} />}
      <Policies
        activities={activities}
        title="Mutating policies"
        plural="mutatingadmissionpolicies"
        policies={of('mutatingadmissionpolicies')}
        bindings={of('mutatingadmissionpolicybindings')}
      />
      <Webhooks
        activities={activities}
        title="Mutating webhooks"
        plural="mutatingwebhookconfigurations"
        list={of('mutatingwebhookconfigurations')}
      />
      <Policies
        activities={activities}
        title="Validating policies"
        plural="validatingadmissionpolicies"
        policies={of('validatingadmissionpolicies')}
        bindings={of('validatingadmissionpolicybindings')}
      />
      <Webhooks
        activities={activities}
        title="Validating webhooks"
        plural="validatingwebhookconfigurations"
        list={of('validatingwebhookconfigurations')}
      />
    </section>
  );
}

function Webhooks({
  activities,
  title,
  plural,
  list,
}: {
  readonly activities: Activities;
  readonly title: string;
  readonly plural: string;
  readonly list: readonly Json[];
}): JSX.Element | null {
  if (list.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {list.flatMap((configuration) => {
        const name = textAt(configuration, 'metadata', 'name');
        return listAt(configuration, 'webhooks').map((webhook) => (
          <section key={`${name}/${textAt(webhook, 'name')}`} class="card">
            <h3>
              {textAt(webhook, 'name')}{' '}
              <a href={objectHash({ ...GROUP, plural }, '', name)}>{name}</a>
            </h3>
            <p class="chips">
              <span class="chip">fails: {textAt(webhook, 'failurePolicy') || 'Fail'}</span>
              <span class="chip">waits {shortText(at(webhook, 'timeoutSeconds') ?? 10)} s</span>
              <span class="chip">side effects: {textAt(webhook, 'sideEffects')}</span>
            </p>
            <p class="dim">{targetOf(webhook)}</p>
            <Matches rules={listAt(webhook, 'rules')} match={webhook} />
            <Matched
              of={activities}
              kind={KINDS[plural] ?? ''}
              name={name}
              webhook={textAt(webhook, 'name')}
            />
          </section>
        ));
      })}
    </>
  );
}

interface PoliciesProps {
  readonly activities: Activities;
  readonly title: string;
  readonly plural: string;
  readonly policies: readonly Json[];
  readonly bindings: readonly Json[];
}

function Policies({
  activities,
  title,
  plural,
  policies,
  bindings,
}: PoliciesProps): JSX.Element | null {
  if (policies.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      {policies.map((policy) => {
        const name = textAt(policy, 'metadata', 'name');
        const own = bindings.filter((binding) => textAt(binding, 'spec', 'policyName') === name);
        const constraints = at(policy, 'spec', 'matchConstraints') ?? {};
        return (
          <section key={name} class="card">
            <h3>
              <a href={objectHash({ ...GROUP, plural }, '', name)}>{name}</a>
            </h3>
            <Matches rules={listAt(constraints, 'resourceRules')} match={constraints} />
            <ul class="paths">
              {listAt(policy, 'spec', 'validations').map((validation, i) => (
                <li key={i}>
                  <code>{textAt(validation, 'expression')}</code>{' '}
                  <span class="dim">{textAt(validation, 'message')}</span>
                </li>
              ))}
              {listAt(policy, 'spec', 'mutations').map((mutation, i) => (
                <li key={i}>
                  <code>
                    {textAt(mutation, 'applyConfiguration', 'expression') ||
                      textAt(mutation, 'jsonPatch', 'expression')}
                  </code>
                </li>
              ))}
            </ul>
            {own.length === 0 ? (
              <p class="state busy">Not bound: it has no effect</p>
            ) : (
              own.map((binding) => (
                <Binding
                  key={textAt(binding, 'metadata', 'name')}
                  plural={`${plural.slice(0, -3)}ybindings`}
                  binding={binding}
                />
              ))
            )}
            {listAt(policy, 'status', 'typeChecking', 'expressionWarnings').map((warning, i) => (
              <p key={i} class="error">
                {textAt(warning, 'fieldRef')} {textAt(warning, 'warning')}
              </p>
            ))}
            <Matched of={activities} kind={KINDS[plural] ?? ''} name={name} />
          </section>
        );
      })}
    </>
  );
}

function Binding({
  plural,
  binding,
}: {
  readonly plural: string;
  readonly binding: Json;
}): JSX.Element {
  const name = textAt(binding, 'metadata', 'name');
  return (
    <p>
      bound by <a href={objectHash({ ...GROUP, plural }, '', name)}>{name}</a>{' '}
      <span class="dim">{listAt(binding, 'spec', 'validationActions').map(String).join(', ')}</span>
    </p>
  );
}

/** The requests that are matched, in words. */
function Matches({
  rules,
  match,
}: {
  readonly rules: readonly Json[];
  readonly match: Json;
}): JSX.Element {
  const selectors = [
    ['namespaces', 'namespaceSelector'],
    ['objects', 'objectSelector'],
  ].flatMap(([what = '', key = '']) => {
    const text = selectorText(at(match, key));
    return text === '' ? [] : [`${what} with ${text}`];
  });
  const conditions = listAt(match, 'matchConditions').map((each) => textAt(each, 'expression'));
  return (
    <ul class="paths">
      {rules.map((rule, i) => (
        <li key={i}>
          <strong>{listAt(rule, 'operations').map(String).join(', ').toLowerCase()}</strong> of{' '}
          <code>{listAt(rule, 'resources').map(String).join(', ')}</code> in{' '}
          {listAt(rule, 'apiGroups')
            .map((group) => shortText(group) || 'core')
            .join(', ')}
          /{listAt(rule, 'apiVersions').map(String).join(', ')}
          {listAt(rule, 'resourceNames').length > 0 &&
            ` named ${listAt(rule, 'resourceNames').map(String).join(', ')}`}
        </li>
      ))}
      {selectors.map((text) => (
        <li key={text} class="dim">
          only {text}
        </li>
      ))}
      {conditions.map((text) => (
        <li key={text} class="dim">
          only if <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

function selectorText(selector: Json | undefined): string {
  const labels = entriesAt(selector ?? {}, 'matchLabels').map(
    ([key, value]) => `${key}=${shortText(value)}`,
  );
  const expressions = listAt(selector, 'matchExpressions').map((each) => {
    const values = listAt(each, 'values').map(String);
    return `${textAt(each, 'key')} ${textAt(each, 'operator')}${values.length > 0 ? ` (${values.join(', ')})` : ''}`;
  });
  return [...labels, ...expressions].join(', ');
}

function targetOf(webhook: Json): string {
  const url = textAt(webhook, 'clientConfig', 'url');
  if (url !== '') return url;
  const service = at(webhook, 'clientConfig', 'service') ?? {};
  return `service ${textAt(service, 'namespace')}/${textAt(service, 'name')}${textAt(service, 'path')}`;
}
