import assert from 'node:assert/strict';
import { FieldPath } from '../api/field-path.ts';
import { bundleProblem, bundleSizeErrors } from './ca-bundle.ts';

const BEGIN = '-----BEGIN CERTIFICATE-----\n';
const END = '-----END CERTIFICATE-----\n';
const PATH = FieldPath.of('spec', 'caBundle');

const bundle = (pem: string): string => Buffer.from(pem).toString('base64');

describe('a bundle of certificates', () => {
  it('has at most 250 of them', () => {
    assert.deepEqual(bundleSizeErrors(PATH, undefined), []);
    assert.deepEqual(bundleSizeErrors(PATH, bundle((BEGIN + END).repeat(250))), []);
    const [error, ...more] = bundleSizeErrors(PATH, bundle((BEGIN + END).repeat(251)));
    assert.deepEqual([error?.path, error?.type, more], ['spec.caBundle', 'FieldValueTooMany', []]);
  });

  it('of many beginnings without an end is read once', () => {
    const before = process.cpuUsage();
    const pem = bundle(BEGIN.repeat(40_000));
    assert.deepEqual(bundleSizeErrors(PATH, pem), []);
    assert.match(bundleProblem(pem) ?? '', /unable to parse bytes as PEM block/);
    // a second look behind each beginning takes tens of seconds
    assert.ok(process.cpuUsage(before).user < 2_000_000);
  });
});
