import assert from 'node:assert/strict';
import type { JsonObject } from '../../api/json.ts';
import {
  created,
  problems,
  rowOf,
  servedVersion,
  testKept,
  testRefused,
  updated,
} from '../testing/harness.ts';
import { leaseCandidateDefinition as definition } from './lease-candidate.ts';

const SPEC = { leaseName: 'lock', binaryVersion: '1.36.0', strategy: 'example.com/rotation' };

function candidate(spec: JsonObject = {}, name = 'a'): JsonObject {
  return {
    apiVersion: 'coordination.cluster.io/v1beta1',
    kind: 'LeaseCandidate',
    metadata: { name },
    spec: { ...SPEC, ...spec },
  };
}
const versions = (binaryVersion: string, emulationVersion: string): JsonObject =>
  candidate({ binaryVersion, emulationVersion });
const TIMES = {
  renewTime: '2099-01-02T03:04:05.000000Z',
  pingTime: '1999-01-02T03:04:05.000006Z',
};

describe('LeaseCandidate', () => {
  testKept(definition, {
    'what is required': [candidate(), candidate()],
    'every field': [
      candidate({ ...TIMES, emulationVersion: '1.35.0' }),
      candidate({ ...TIMES, emulationVersion: '1.35.0' }),
    ],
    'neither empty nor null': [candidate({ emulationVersion: '', pingTime: null }), candidate()],
    'equal versions': [versions('1.36.0', '1.36.0'), versions('1.36.0', '1.36.0')],
    'build metadata, which does not order': [
      versions('1.36.0+build.5', '1.36.0'),
      versions('1.36.0+build.5', '1.36.0'),
    ],
    'versions compared as numbers': [versions('1.10.0', '1.9.0'), versions('1.10.0', '1.9.0')],
    'numbers of pre-releases, too': [
      versions('1.36.0-beta.11', '1.36.0-beta.2'),
      versions('1.36.0-beta.11', '1.36.0-beta.2'),
    ],
    'a name with capitals and underscores': [
      candidate({}, 'Candidate_A.1-b'),
      candidate({}, 'Candidate_A.1-b'),
    ],
  });

  testRefused(definition, {
    'no leaseName, binaryVersion and strategy': [
      candidate({ leaseName: '', binaryVersion: '', strategy: '' }),
      [
        'FieldValueRequired spec.leaseName',
        'FieldValueRequired spec.binaryVersion',
        'FieldValueRequired spec.strategy',
      ],
    ],
    'a binaryVersion with a v': [
      candidate({ binaryVersion: 'v1.36.0' }),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    'a binaryVersion of two numbers': [
      candidate({ binaryVersion: '1.36' }),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    'an emulationVersion that is none': [
      versions('1.36.0', '01.0.0'),
      ['FieldValueInvalid spec.emulationVersion'],
    ],
    'an emulationVersion that is none, where one is needed': [
      candidate({ strategy: 'OldestEmulationVersion', emulationVersion: '1.35' }),
      ['FieldValueInvalid spec.emulationVersion', 'FieldValueRequired spec.emulationVersion'],
    ],
    'a binaryVersion that cannot be parsed, below the emulationVersion': [
      versions('v1.36.0', '1.35.0'),
      ['FieldValueInvalid spec.binaryVersion', 'FieldValueInvalid spec.binaryVersion'],
    ],
    'OldestEmulationVersion with the version zero, which counts as none': [
      candidate({ strategy: 'OldestEmulationVersion', emulationVersion: '0.0.0+build' }),
      ['FieldValueRequired spec.emulationVersion'],
    ],
    'an emulationVersion above binaryVersion': [
      versions('1.35.0', '1.36.0'),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    'a release emulated by its pre-release': [
      versions('1.36.0-alpha.1', '1.36.0'),
      ['FieldValueInvalid spec.binaryVersion'],
    ],
    'OldestEmulationVersion without emulationVersion': [
      candidate({ strategy: 'OldestEmulationVersion' }),
      ['FieldValueRequired spec.emulationVersion'],
    ],
    'an unknown strategy without a domain': [
      candidate({ strategy: 'Newest' }),
      ['FieldValueNotSupported spec.strategy'],
    ],
    'a strategy that is not a qualified name': [
      candidate({ strategy: 'example.com/bad name' }),
      ['FieldValueInvalid spec.strategy'],
    ],
    'a blank in its name': [candidate({}, 'with space'), ['FieldValueInvalid metadata.name']],
    'a name that begins with two dots': [
      candidate({}, '..data'),
      ['FieldValueInvalid metadata.name'],
    ],
  });

  it('never changes its leaseName', () => {
    const old = created(definition, candidate()).object;
    assert.deepEqual(
      problems(updated(definition, old, candidate({ binaryVersion: '1.37.0' }))),
      [],
    );
    assert.deepEqual(problems(updated(definition, old, candidate({ leaseName: 'other' }))), [
      'FieldValueInvalid spec.leaseName',
    ]);
  });

  it('says that its version is deprecated', () => {
    assert.match(
      servedVersion(definition).deprecation ?? '',
      /v1beta1 LeaseCandidate is deprecated/,
    );
  });

  it('shows what it stands for in tables', () => {
    assert.deepEqual(rowOf(definition, created(definition, versions('1.36.0', '1.35.0')).object), {
      Name: 'a',
      LeaseName: 'lock',
      BinaryVersion: '1.36.0',
      EmulationVersion: '1.35.0',
      Age: '<unknown>',
    });
  });
});
