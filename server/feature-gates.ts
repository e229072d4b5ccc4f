import { FlagError } from '../config/command-line.ts';
import { parseFeatureGates, type FeatureGates } from '../resources/feature-gates.ts';

/** The gates as `--feature-gates` sets them. @throws FlagError with all that is wrong with its text */
export function featureGatesOf(text: string): FeatureGates {
  const { gates, errors } = parseFeatureGates(text);
  if (errors.length > 0) throw new FlagError(errors.join('; '));
  return gates;
}
