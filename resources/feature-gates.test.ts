import assert from 'node:assert/strict';
import { DEFAULT_FEATURE_GATES, parseFeatureGates } from './feature-gates.ts';

describe('feature gates', () => {
  it('are off by default when they are alpha', () => {
    assert.equal(DEFAULT_FEATURE_GATES.CoordinatedLeaderElection, false);
    assert.equal(DEFAULT_FEATURE_GATES.DynamicResourceAllocation, false);
    assert.equal(DEFAULT_FEATURE_GATES.TaintTolerationComparisonOperators, false);
  });

  it('are switched by name, with blanks around it', () => {
    const { gates, errors } = parseFeatureGates(
      ' CoordinatedLeaderElection=true, DRAExtendedResource = False ,',
    );
    assert.deepEqual(errors, []);
    assert.deepEqual(gates, {
      ...DEFAULT_FEATURE_GATES,
      CoordinatedLeaderElection: true,
      DRAExtendedResource: false,
    });
  });

  it('are switched by stage; a name beats its stage', () => {
    const { gates, errors } = parseFeatureGates('AllAlpha=true,DynamicResourceAllocation=false');
    assert.deepEqual(errors, []);
    assert.equal(gates.CoordinatedLeaderElection, true);
    assert.equal(gates.DynamicResourceAllocation, false);
    assert.equal(parseFeatureGates('AllBeta=false').gates.DRAExtendedResource, false);
  });

  const wrong: Record<string, RegExp> = {
    CoordinatedLeaderElection: /expected Name=true or Name=false/,
    'CoordinatedLeaderElection=yes': /expected Name=true/,
    'CoordinatedLeaderElection=true=false': /expected Name=true/,
    'Unheard=true': /unknown feature gate "Unheard"; known are AllAlpha, /,
    'toString=true': /unknown feature gate/,
    '=true': /unknown feature gate/,
    'CustomResourceDefaulting=false': /is stable and cannot be switched off/,
    'CoordinatedLeaderElection=true,CoordinatedLeaderElection=false': /given twice/,
  };
  for (const [text, message] of Object.entries(wrong)) {
    it(`refuse ${text}`, () => {
      const { errors } = parseFeatureGates(text);
      assert.equal(errors.length, 1);
      assert.match(errors[0]!, message);
    });
  }
});
