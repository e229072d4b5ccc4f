import type { JsonObject } from '../../../api/json.ts';
import type { Rule, Rules } from './rule.ts';

const RULE: JsonObject = {
  apiGroups: ['example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['gadgets'],
};
const WEBHOOK: JsonObject = {
  name: 'check.example.com',
  clientConfig: { service: { namespace: 'team', name: 'hook' } },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
};
const webhooks = (...changes: JsonObject[]): JsonObject => ({
  webhooks: changes.map((change) => ({ ...WEBHOOK, ...change })),
});
const ruled = (change: JsonObject): JsonObject => webhooks({ rules: [{ ...RULE, ...change }] });
const AT = 'webhooks[0]';
const url = (text: string): JsonObject => webhooks({ clientConfig: { url: text } });
const service = (change: JsonObject): JsonObject =>
  webhooks({ clientConfig: { service: { namespace: 'team', name: 'hook', ...change } } });
const condition = (change: JsonObject): JsonObject =>
  webhooks({ matchConditions: [{ name: 'mine', expression: 'true', ...change }] });
const conditions = (count: number): JsonObject =>
  webhooks({
    matchConditions: Array.from({ length: count }, (_, i) => ({
      name: `c${i}`,
      expression: 'true',
    })),
  });

const BOTH: readonly Rule[] = [
  {
    rule: 'admissionReviewVersions are required',
    with: webhooks({ admissionReviewVersions: [] }),
    refused: `${AT}.admissionReviewVersions`,
  },
  {
    rule: 'one of admissionReviewVersions is supported',
    with: webhooks({ admissionReviewVersions: ['v9'] }),
    refused: `${AT}.admissionReviewVersions`,
  },
  {
    rule: 'a client has a service or a URL: not none',
    with: webhooks({ clientConfig: {} }),
    refused: `${AT}.clientConfig`,
  },
  {
    rule: 'a client has a service or a URL: not both',
    with: webhooks({
      clientConfig: { url: 'https://a.example', service: { namespace: 'a', name: 'b' } },
    }),
    refused: `${AT}.clientConfig`,
  },
  {
    rule: 'the URL names no service of the cluster',
    with: url('https://a.b.svc:8443/check'),
    refused: `${AT}.clientConfig.url`,
  },
  {
    rule: 'the URL names no service of the cluster, with its domain',
    with: url('https://a.b.SVC.cluster.local./check'),
    refused: `${AT}.clientConfig.url`,
  },
  { rule: 'the URL is https', with: url('http://a.example'), refused: `${AT}.clientConfig.url` },
  {
    rule: 'the URL has no user',
    with: url('https://u:p@a.example'),
    refused: `${AT}.clientConfig.url`,
  },
  {
    rule: 'the URL has no query',
    with: url('https://a.example/?q'),
    refused: `${AT}.clientConfig.url`,
  },
  {
    rule: 'the URL has no fragment',
    with: url('https://a.example/#f'),
    refused: `${AT}.clientConfig.url`,
  },
  {
    rule: 'a service has a name',
    with: service({ name: '' }),
    refused: `${AT}.clientConfig.service.name`,
  },
  {
    rule: 'a service has a namespace',
    with: service({ namespace: '' }),
    refused: `${AT}.clientConfig.service.namespace`,
  },
  {
    rule: 'the port is 1 to 65535',
    with: service({ port: 0 }),
    refused: `${AT}.clientConfig.service.port`,
  },
  {
    rule: 'the port is 443 by default',
    with: service({}),
    answers: [['webhooks', 0, 'clientConfig', 'service', 'port'], 443],
  },
  {
    rule: 'a path is one',
    with: service({ path: 'no/slash' }),
    refused: `${AT}.clientConfig.service.path`,
  },
  { rule: 'a name is fully qualified', with: webhooks({ name: 'check' }), refused: `${AT}.name` },
  { rule: 'names are unique', with: webhooks({}, {}), refused: 'webhooks[1].name' },
  {
    rule: 'sideEffects are required',
    with: webhooks({ sideEffects: null }),
    refused: `${AT}.sideEffects`,
  },
  {
    rule: 'sideEffects are None or NoneOnDryRun in new ones',
    with: webhooks({ sideEffects: 'Some' }),
    refused: `${AT}.sideEffects`,
  },
  {
    rule: 'failurePolicy is Fail or Ignore',
    with: webhooks({ failurePolicy: 'Shrug' }),
    refused: `${AT}.failurePolicy`,
  },
  {
    rule: 'failurePolicy is Fail by default',
    with: webhooks({}),
    answers: [['webhooks', 0, 'failurePolicy'], 'Fail'],
  },
  {
    rule: 'matchPolicy is Exact or Equivalent',
    with: webhooks({ matchPolicy: 'Roughly' }),
    refused: `${AT}.matchPolicy`,
  },
  {
    rule: 'matchPolicy is Equivalent by default',
    with: webhooks({}),
    answers: [['webhooks', 0, 'matchPolicy'], 'Equivalent'],
  },
  {
    rule: 'namespaceSelector is empty by default',
    with: webhooks({}),
    answers: [['webhooks', 0, 'namespaceSelector'], {}],
  },
  {
    rule: 'objectSelector is empty by default',
    with: webhooks({}),
    answers: [['webhooks', 0, 'objectSelector'], {}],
  },
  {
    rule: 'a selector has known operators',
    with: webhooks({ objectSelector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } }),
    refused: `${AT}.objectSelector.matchExpressions[0].operator`,
  },
  {
    rule: 'timeoutSeconds is 1 at least',
    with: webhooks({ timeoutSeconds: 0 }),
    refused: `${AT}.timeoutSeconds`,
  },
  {
    rule: 'timeoutSeconds is 30 at most',
    with: webhooks({ timeoutSeconds: 31 }),
    refused: `${AT}.timeoutSeconds`,
  },
  {
    rule: 'timeoutSeconds is 10 by default',
    with: webhooks({}),
    answers: [['webhooks', 0, 'timeoutSeconds'], 10],
  },
  { rule: 'at most 64 matchConditions', with: conditions(65), refused: `${AT}.matchConditions` },
  {
    rule: 'a condition has a name',
    with: condition({ name: '' }),
    refused: `${AT}.matchConditions[0].name`,
  },
  {
    rule: 'the name of a condition is qualified',
    with: condition({ name: '-a' }),
    refused: `${AT}.matchConditions[0].name`,
  },
  {
    rule: 'an expression is required',
    with: condition({ expression: '' }),
    refused: `${AT}.matchConditions[0].expression`,
  },
  {
    rule: 'an expression compiles',
    with: condition({ expression: 'object.' }),
    refused: `${AT}.matchConditions[0].expression`,
  },
  {
    rule: 'an expression yields a boolean',
    with: condition({ expression: '1' }),
    refused: `${AT}.matchConditions[0].expression`,
  },
  {
    rule: 'an expression sees the request and the authorizer',
    with: condition({
      expression:
        'request.operation == "CREATE" && authorizer.requestResource.check("get").allowed()',
    }),
    answers: [['webhooks', 0, 'name'], 'check.example.com'],
  },
  {
    rule: 'apiGroups are required',
    with: ruled({ apiGroups: [] }),
    refused: `${AT}.rules[0].apiGroups`,
  },
  {
    rule: '* stands alone in apiGroups',
    with: ruled({ apiGroups: ['*', 'a'] }),
    refused: `${AT}.rules[0].apiGroups`,
  },
  {
    rule: 'apiVersions are required',
    with: ruled({ apiVersions: [] }),
    refused: `${AT}.rules[0].apiVersions`,
  },
  {
    rule: '* stands alone in apiVersions',
    with: ruled({ apiVersions: ['*', 'v1'] }),
    refused: `${AT}.rules[0].apiVersions`,
  },
  {
    rule: 'operations are required',
    with: ruled({ operations: [] }),
    refused: `${AT}.rules[0].operations`,
  },
  {
    rule: 'operations are known',
    with: ruled({ operations: ['LOOK'] }),
    refused: `${AT}.rules[0].operations[0]`,
  },
  {
    rule: '* stands alone in operations',
    with: ruled({ operations: ['*', 'CREATE'] }),
    refused: `${AT}.rules[0].operations`,
  },
  {
    rule: 'resources are required',
    with: ruled({ resources: [] }),
    refused: `${AT}.rules[0].resources`,
  },
  {
    rule: 'resources do not overlap',
    with: ruled({ resources: ['*', 'gadgets'] }),
    refused: `${AT}.rules[0].resources`,
  },
  {
    rule: 'resources do not overlap below a wildcard',
    with: ruled({ resources: ['gadgets/*', 'gadgets/status'] }),
    refused: `${AT}.rules[0].resources[1]`,
  },
  {
    rule: 'scope is one of three',
    with: ruled({ scope: 'World' }),
    refused: `${AT}.rules[0].scope`,
  },
  {
    rule: 'scope is * by default',
    with: ruled({}),
    answers: [['webhooks', 0, 'rules', 0, 'scope'], '*'],
  },
];

/** Document 3, section 2.3. */
export const WEBHOOK_RULES = {
  MutatingWebhookConfiguration: [
    ...BOTH,
    {
      rule: 'reinvocationPolicy is Never or IfNeeded',
      with: webhooks({ reinvocationPolicy: 'Always' }),
      refused: `${AT}.reinvocationPolicy`,
    },
    {
      rule: 'reinvocationPolicy is Never by default',
      with: webhooks({}),
      answers: [['webhooks', 0, 'reinvocationPolicy'], 'Never'],
    },
  ],
  ValidatingWebhookConfiguration: [
    ...BOTH,
    {
      rule: 'there is no reinvocationPolicy',
      with: webhooks({ reinvocationPolicy: 'Never' }),
      answers: [['webhooks', 0, 'reinvocationPolicy'], undefined],
    },
  ],
} satisfies Rules;
