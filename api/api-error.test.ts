import assert from 'node:assert/strict';
import * as errors from './api-error.ts';
import { fieldError } from './field-error.ts';

const leases = { group: 'coordination.cluster.io', resource: 'leases' };
const nodes = { group: '', resource: 'nodes' };

describe('ApiError', () => {
  it('is a Status with a code, a reason and details', () => {
    const error = errors.notFound(leases, 'a');
    assert.ok(error instanceof Error);
    assert.equal(error.code, 404);
    assert.equal(error.reason, 'NotFound');
    assert.equal(error.message, 'leases.coordination.cluster.io "a" not found');
    assert.deepEqual(error.status, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: error.message,
      reason: 'NotFound',
      details: { name: 'a', group: 'coordination.cluster.io', kind: 'leases' },
      code: 404,
    });
  });

  it('words each error as kube-apiserver does', () => {
    const cases: [errors.ApiError, number, string, string][] = [
      [errors.badRequest('no'), 400, 'BadRequest', 'no'],
      [errors.unauthorized(), 401, 'Unauthorized', 'Unauthorized'],
      [errors.forbidden(nodes, 'n', 'why'), 403, 'Forbidden', 'nodes "n" is forbidden: why'],
      [errors.forbidden(nodes, '', 'why'), 403, 'Forbidden', 'nodes is forbidden: why'],
      [
        errors.forbidden({ group: '', resource: '' }, '', 'why'),
        403,
        'Forbidden',
        'forbidden: why',
      ],
      [
        errors.unknownResource(),
        404,
        'NotFound',
        'the server could not find the requested resource',
      ],
      [
        errors.methodNotAllowed(nodes, 'update'),
        405,
        'MethodNotAllowed',
        'update is not supported on resources of kind "nodes"',
      ],
      [errors.alreadyExists(nodes, 'n'), 409, 'AlreadyExists', 'nodes "n" already exists'],
      [
        errors.conflict(nodes, 'n', 'why'),
        409,
        'Conflict',
        'Operation cannot be fulfilled on nodes "n": why',
      ],
      [errors.expired('old'), 410, 'Expired', 'old'],
      [errors.tooLarge('big'), 413, 'RequestEntityTooLarge', 'big'],
      [errors.tooManyRequests('later', 3), 429, 'TooManyRequests', 'later'],
      [errors.internalError('broke'), 500, 'InternalError', 'Internal error occurred: broke'],
      [errors.serviceUnavailable('down'), 503, 'ServiceUnavailable', 'down'],
      [errors.timeout('slow', 1), 504, 'Timeout', 'Timeout: slow'],
    ];
    for (const [error, code, reason, message] of cases) {
      assert.deepEqual([error.code, error.reason, error.message], [code, reason, message]);
      assert.equal(error.status.code, code);
    }
    assert.equal(errors.tooManyRequests('later', 3).status.details?.retryAfterSeconds, 3);
    assert.deepEqual(errors.timeout('slow').status.details, {});
  });

  it('hides the text of an unexpected failure and keeps it as the cause', () => {
    const thrown = new Error('password is secret');
    const error = errors.ApiError.from(thrown);
    assert.equal(error.code, 500);
    assert.equal(error.cause, thrown);
    assert.doesNotMatch(JSON.stringify(error.status), /secret/);
    assert.equal(errors.ApiError.from(error), error);
    assert.equal(errors.ApiError.from(undefined).code, 500);
  });
});

describe('invalid', () => {
  const kind = { group: 'example.com', kind: 'Gadget' };

  it('has one cause for each field error and names each text once', () => {
    const one = fieldError.required('spec.a', 'is missing');
    assert.equal(
      errors.invalid(kind, 'a', [one]).message,
      'Gadget.example.com "a" is invalid: spec.a: Required value: is missing',
    );
    const several = errors.invalid({ group: '', kind: 'Node' }, '', [
      one,
      one,
      fieldError.invalid('', 1, 'odd'),
    ]);
    assert.equal(
      several.message,
      'Node "" is invalid: [spec.a: Required value: is missing, <nil>: Invalid value: 1: odd]',
    );
    assert.deepEqual(several.status.details, {
      kind: 'Node',
      causes: [
        { reason: 'FieldValueRequired', message: 'Required value: is missing', field: 'spec.a' },
        { reason: 'FieldValueRequired', message: 'Required value: is missing', field: 'spec.a' },
        { reason: 'FieldValueInvalid', message: 'Invalid value: 1: odd', field: '<nil>' },
      ],
    });
  });

  it('counts errors beyond its limit instead of listing them', () => {
    const many = Array.from({ length: 100_000 }, (_, i) => fieldError.required(`spec.a[${i}]`));
    const error = errors.invalid(kind, 'a', many);
    assert.equal(error.status.details?.causes?.length, errors.MAX_CAUSES);
    assert.match(error.message, /, and 99500 more errors\]$/);
  });

  it('counts errors beyond the maximum length of an answer instead of listing them', () => {
    const long = `spec[${'k'.repeat(60_000)}]`;
    const many = Array.from({ length: 256 }, (_, i) => fieldError.required(`${long}.a${i}`));
    const error = errors.invalid(kind, 'a', many);
    assert.equal(error.status.details?.causes?.length, 2);
    assert.match(error.message, /, and 254 more errors\]$/);
    assert.equal(
      errors.invalid(kind, 'a', [fieldError.required('k'.repeat(1e6))]).status.details?.causes
        ?.length,
      1,
    );
  });
});
