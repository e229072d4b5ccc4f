import assert from 'node:assert/strict';
import { FieldPath } from '../api/field-path.ts';
import { cpuMs, scaled } from '../test/support/cpu.ts';
import { expressionChecker } from './expression-checker.ts';
import { expressionError, type AdmissionUse, type ExpressionCheck } from './expressions.ts';
import { ALL_FEATURE_GATES } from './feature-gates.ts';

const checker = expressionChecker(ALL_FEATURE_GATES);
/** What the server takes; see device-class.ts. */
const MAX_COST = 1_000_000n;

const checkSelector = (expression: string): ExpressionCheck =>
  checker.deviceScope().check(expression);
const scopeOf = ({ params = false, variables = false } = {}): ReturnType<
  typeof checker.admissionScope
> => checker.admissionScope({ params, variables });

describe('expressions that select devices', () => {
  const accepted = {
    'a constant': 'true',
    'the driver': 'device.driver == "gpu.example.com"',
    'an attribute that is itself the answer': 'device.attributes["gpu.example.com"].fast',
    'an attribute that is compared': 'device.attributes["gpu.example.com"].model == "a100"',
    'an attribute that may be absent':
      '"gpu.example.com" in device.attributes && has(device.attributes["gpu.example.com"].model)',
    'a prefix that is bound once':
      'cel.bind(gpu, device.attributes["gpu.example.com"], gpu.fast && gpu.model == "x")',
    'a version': 'device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.2.3"))',
    'a capacity':
      'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0 && device.capacity["a"].b.isGreaterThan(quantity("1"))',
    'a device that several may use': 'device.allowMultipleAllocations',
    'every attribute, twice over': 'device.attributes.all(a, device.attributes.all(b, a == b))',
  };
  for (const [what, expression] of Object.entries(accepted)) {
    it(`takes ${what}`, () => {
      const { problem, cost } = checkSelector(expression);
      assert.equal(problem, undefined);
      assert.ok(cost <= MAX_COST, String(cost));
    });
  }

  const refused = {
    'a number': ['1', 'must evaluate to bool or the unknown type, not int'],
    'the device itself': [
      'device',
      'must evaluate to bool or the unknown type, not kubernetes.DRADevice',
    ],
    'a map': [
      'device.capacity["a"]',
      'must evaluate to bool or the unknown type, not map(string, kubernetes.Quantity)',
    ],
    'what may be anything': ['dyn(true)', 'must evaluate to bool or the unknown type, not dyn'],
    'a field that devices do not have': [
      'device.name == "x"',
      `compilation failed: ERROR: <input>:1:7: undefined field 'name'\n | device.name == "x"\n | ......^`,
    ],
    'a name that means nothing': [
      'self.driver == ""',
      `compilation failed: ERROR: <input>:1:1: undeclared reference to 'self' (in container '')\n | self.driver == ""\n | ^`,
    ],
    'what does not fit': [
      'device.driver > 1',
      `compilation failed: ERROR: <input>:1:15: found no matching overload for '_>_' applied to '(string, int)'\n | device.driver > 1\n | ..............^`,
    ],
    'a pattern that is none': [
      'device.driver.matches("[")',
      `compilation failed: ERROR: <input>:1:23: invalid matches argument\n | device.driver.matches("[")\n | ......................^`,
    ],
  } as const;
  for (const [what, [expression, problem]] of Object.entries(refused)) {
    it(`refuses ${what}`, () => assert.deepEqual(checkSelector(expression), { problem, cost: 0n }));
  }

  it('refuses empty and incomplete expressions', () => {
    for (const expression of ['', 'device.', 'true &&', '"open']) {
      const { problem } = checkSelector(expression);
      assert.match(problem ?? '', /^compilation failed: ERROR: <input>:1:/, expression);
    }
  });

  it('bounds the cost by what a device can hold at most', () => {
    const costOf = (expression: string): bigint => checkSelector(expression).cost;
    const nested = (depth: number): string =>
      depth === 0 ? 'a0 == "x"' : `device.attributes.all(a${depth - 1}, ${nested(depth - 1)})`;
    assert.ok(costOf(nested(2)) < MAX_COST);
    assert.ok(costOf(nested(5)) > MAX_COST);
    // 32 attributes at most in each group
    assert.ok(costOf(nested(2)) > costOf(nested(1)) * 20n);
    // a driver has 63 characters, an attribute 64
    assert.equal(costOf('device.driver == "x"'), 2n + 1n);
    assert.ok(costOf('device.attributes["a"].b.matches("x")') < 100n);
    assert.ok(costOf('device.attributes["a"].b + "x" == "y"') < 100n);
    assert.ok(
      costOf('device.capacity.exists(p, device.capacity[p].exists(n, n == ""))') < MAX_COST,
    );
  });

  it('ReDoS: compiles no more of them when the patterns of all have become too many', () => {
    const range = '[\u0100-\uffff]'.repeat(29);
    const scope = checker.deviceScope();
    const problems = Array.from(
      { length: 32 },
      (_, i) => scope.check(`device.driver.matches("(?i)${range}d${i}")`).problem,
    );
    assert.equal(problems[0], undefined);
    assert.match(problems.at(-1) ?? '', /^the patterns of all expressions/);
  });

  it('knows of devices that several may use only with their gate', () => {
    const closed = expressionChecker({ ...ALL_FEATURE_GATES, DRAConsumableCapacity: false });
    const { problem } = closed.deviceScope().check('device.allowMultipleAllocations');
    assert.match(problem ?? '', /undefined field 'allowMultipleAllocations'/);
    assert.equal(closed.deviceScope().check('device.driver != ""').problem, undefined);
  });
});

describe('expressions of admission', () => {
  const check = (
    use: AdmissionUse,
    expression: string,
    scope = scopeOf({ params: true, variables: true }),
  ): string | undefined => scope.check(use, expression);

  it('take what their use asks for, and say what they got', () => {
    const cases: [AdmissionUse, string, string | undefined][] = [
      ['matchCondition', 'true', undefined],
      ['matchCondition', '1', 'must evaluate to bool but got int'],
      ['matchCondition', 'object.spec.ready', 'must evaluate to bool but got dyn'],
      [
        'matchCondition',
        'authorizer.requestResource.check("get")',
        'must evaluate to bool but got kubernetes.authorization.Decision',
      ],
      ['validation', 'object.metadata.name != ""', undefined],
      ['validation', '[true]', 'must evaluate to bool but got list(bool)'],
      ['messageExpression', '"no: " + object.metadata.name', undefined],
      ['messageExpression', 'null', 'must evaluate to string but got null_type'],
      ['auditAnnotation', '"x"', undefined],
      ['auditAnnotation', 'null', undefined],
      ['auditAnnotation', '1', 'must evaluate to one of [string null_type] but got int'],
      [
        'auditAnnotation',
        'timestamp("2024-01-01T00:00:00Z")',
        'must evaluate to one of [string null_type] but got google.protobuf.Timestamp',
      ],
      ['applyConfiguration', 'Object{spec: Object.spec{replicas: 1}}', undefined],
      ['applyConfiguration', 'Object.spec{}', 'must evaluate to Object but got Object.spec'],
      ['applyConfiguration', '{"spec": 1}', 'must evaluate to Object but got map(string, int)'],
      ['jsonPatch', '[JSONPatch{op: "add", path: "/a", value: 1}]', undefined],
      [
        'jsonPatch',
        '[JSONPatch{op: "add", path: "/metadata/labels/" + jsonpatch.escapeKey("a/b"), value: object.x}]',
        undefined,
      ],
      ['jsonPatch', 'JSONPatch{}', 'must evaluate to list(JSONPatch) but got JSONPatch'],
    ];
    for (const [use, expression, problem] of cases) {
      assert.equal(check(use, expression), problem, `${use}: ${expression}`);
    }
  });

  it('know the request and the namespace field by field', () => {
    const request = [
      'request.operation == "CREATE" && request.dryRun',
      'request.kind.group + request.requestKind.version + request.kind.kind != ""',
      'request.resource.resource + request.requestResource.version != ""',
      'request.subResource + request.requestSubResource + request.name + request.namespace == ""',
      'request.userInfo.username == "a" && "g" in request.userInfo.groups',
      'request.userInfo.extra["k"].all(v, v != request.userInfo.uid)',
      'request.options.fieldManager == "x"',
      'namespaceObject.metadata.labels["a"] == "b" && "f" in namespaceObject.spec.finalizers',
      'namespaceObject.metadata.creationTimestamp < namespaceObject.metadata.deletionTimestamp',
      'namespaceObject.metadata.generation + namespaceObject.metadata.deletionGracePeriodSeconds > 0',
      'namespaceObject.status.phase == "Active"',
      'namespaceObject.status.conditions.exists(c, c.type + c.status + c.reason + c.message == "")',
      'authorizer.group("").resource("nodes").namespace("a").check("get").allowed()',
      'authorizer.requestResource.check("delete").reason() == ""',
      'authorizer.serviceAccount("a", "b").path("/healthz").check("get").errored()',
    ];
    for (const expression of request) {
      assert.equal(check('matchCondition', expression), undefined);
    }
    for (const expression of ['request.uid', 'request.object', 'namespaceObject.metadata.uid']) {
      assert.match(check('matchCondition', `${expression} == ""`) ?? '', /undefined field/);
    }
    assert.match(check('matchCondition', 'request.name > 3') ?? '', /no matching overload/);
  });

  it('have params where the policy has a kind of parameters', () => {
    assert.equal(check('validation', 'params.max > 1'), undefined);
    assert.match(check('validation', 'params.max > 1', scopeOf()) ?? '', /reference to 'params'/);
  });

  it('cannot authorize while they make a message', () => {
    const expression = 'string(authorizer.path("/x").check("get").allowed())';
    assert.match(check('messageExpression', expression) ?? '', /reference to 'authorizer'/);
    assert.equal(check('auditAnnotation', expression), undefined);
  });

  it('make objects only where they change some', () => {
    assert.match(check('validation', 'Object{} != Object{}') ?? '', /undeclared reference/);
    assert.match(check('applyConfiguration', 'Thing{}') ?? '', /undeclared reference/);
    assert.match(check('jsonPatch', '[JSONPatch{verb: "add"}]') ?? '', /undefined field 'verb'/);
    assert.match(check('jsonPatch', '[JSONPatch{op: 1}]') ?? '', /expected type/);
  });

  it('see variables after their definition, with their types', () => {
    const scope = scopeOf({ variables: true });
    assert.equal(scope.defineVariable('one', '1'), undefined);
    assert.equal(scope.defineVariable('names', 'object.items.map(i, string(i.name))'), undefined);
    assert.equal(scope.defineVariable('more', 'variables.one + 1'), undefined);
    assert.equal(scope.defineVariable('by', 'request.userInfo'), undefined);
    assert.equal(scope.check('validation', 'variables.more > variables.one'), undefined);
    assert.equal(scope.check('validation', 'variables.names.all(n, n.startsWith("a"))'), undefined);
    // a struct has lost its fields, so it is unknown whether this one exists
    assert.equal(scope.check('validation', 'variables.by.nothing == 1'), undefined);
    assert.match(
      scope.check('validation', 'variables.one == "x"') ?? '',
      /no matching overload for '_==_' applied to '\(int, string\)'/,
    );
    assert.match(
      scope.check('validation', 'variables.names.all(n, n > 1)') ?? '',
      /no matching overload/,
    );
    assert.equal(scope.defineVariable('labels', '{"a": "b"}'), undefined);
    assert.equal(scope.check('validation', 'variables.labels["a"] == "b"'), undefined);
    assert.match(
      scope.check('validation', 'variables.labels["a"] > 1') ?? '',
      /no matching overload for '_>_' applied to '\(string, int\)'/,
    );
    assert.match(scope.check('validation', 'variables.later') ?? '', /undefined field 'later'/);
  });

  it('blame a broken variable once', () => {
    const scope = scopeOf({ variables: true });
    assert.match(scope.defineVariable('a', 'nothing') ?? '', /reference to 'nothing'/);
    assert.equal(scope.defineVariable('b', 'variables.a + 1'), undefined);
    assert.equal(scope.check('validation', 'variables.a == variables.b'), undefined);
    assert.match(scope.defineVariable('c', 'variables.d') ?? '', /undefined field 'd'/);
  });

  it('do not know of variables where there are none', () => {
    const problem = check('validation', 'variables.a == 1', scopeOf());
    assert.match(problem ?? '', /undeclared reference to 'variables'/);
  });

  it('are parsed in bounded time', () => {
    const long = `"${'a'.repeat(100_000)}" == ""`;
    assert.match(check('validation', long) ?? '', /size exceeds limit/);
    const deep = `${'('.repeat(50_000)}true${')'.repeat(40_000)}`;
    assert.match(check('validation', deep) ?? '', /^compilation failed/);
  });

  it('have bounds on length and patterns, so compiling takes bounded time', () => {
    const texts = scopeOf();
    const text = `"${'a'.repeat(50_000)}" == ""`;
    assert.equal(texts.check('validation', text), undefined);
    assert.equal(texts.check('messageExpression', `"${'a'.repeat(50_000)}"`), undefined);
    assert.match(texts.check('validation', text) ?? '', /^all expressions have more than 131072/);

    const patterns = scopeOf({ variables: true });
    const range = '[\u0100-\uffff]'.repeat(29);
    const began = cpuMs();
    const problems = Array.from({ length: 200 }, (_, i) =>
      i % 2 === 0
        ? patterns.check('validation', `"a".matches("(?i)${range}${i}")`)
        : patterns.defineVariable(`v${i}`, `"a".find("(?i)${range}${i}")`),
    );
    assert.ok(cpuMs() - began < scaled(5_000));
    assert.equal(problems[0], undefined);
    assert.match(problems.at(-1) ?? '', /^the patterns of all expressions/);
  });
});

describe('errors about expressions', () => {
  const path = FieldPath.of('spec', 'expression');

  it('an expression that cannot be instantiated is an internal error', () => {
    const { type } = expressionError(path, 'a', 'program instantiation failed: no');
    assert.equal(type, 'InternalError');
  });

  it('an expression that does not compile is invalid', () => {
    assert.equal(expressionError(path, 'a', 'compilation failed: no').type, 'FieldValueInvalid');
  });
});
