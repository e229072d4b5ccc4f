/**
 * Parts of the API that can be switched. A gate that is off drops the fields
 * that it guards, or its kind is not served at all; what was stored while it
 * was on stays until it is written again.
 */
const GATES: Readonly<Record<FeatureGate, Gate>> = {
  /** Lease: strategy and preferredHolder. Source: specification 1, sections 2.5 and 9. */
  CoordinatedLeaderElection: { stage: 'alpha', on: false },
  /** DeviceClass. Source: specification 3, section 2.2. */
  DynamicResourceAllocation: { stage: 'alpha', on: false },
  /** The operators Lt and Gt of tolerations. Source: specification 2, section 2.2. */
  TaintTolerationComparisonOperators: { stage: 'alpha', on: false },
  /** DeviceClass: extendedResourceName. Source: specification 3, section 2.2. */
  DRAExtendedResource: { stage: 'beta', on: true },
  /** DeviceClass: device.allowMultipleAllocations in expressions. Source: as above. */
  DRAConsumableCapacity: { stage: 'beta', on: true },
  /** CRDs: defaults in schemas. Source: specification 3, section 2.1. */
  CustomResourceDefaulting: { stage: 'stable', on: true },
};

type GateStage = 'alpha' | 'beta' | 'stable';
interface Gate {
  readonly stage: GateStage;
  /** How it stands when nothing is said. */
  readonly on: boolean;
}
type FeatureGate =
  | 'CoordinatedLeaderElection'
  | 'CustomResourceDefaulting'
  | 'DRAConsumableCapacity'
  | 'DRAExtendedResource'
  | 'DynamicResourceAllocation'
  | 'TaintTolerationComparisonOperators';
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;

const NAMES = Object.keys(GATES) as FeatureGate[];

/** Every gate as it stands when nothing is said: alpha ones are off. */
export const DEFAULT_FEATURE_GATES: FeatureGates = gatesWhere((gate) => GATES[gate].on);

/** Every gate open; for tests and development. */
export const ALL_FEATURE_GATES: FeatureGates = gatesWhere(() => true);

interface ParsedFeatureGates {
  readonly gates: FeatureGates;
  /** What is wrong with the text; empty: nothing. */
  readonly errors: readonly string[];
}

/**
 * Reads the value of `--feature-gates`: `Name=true,Other=false`. `AllAlpha` and
 * `AllBeta` set every gate of the stage that is not named itself.
 */
export function parseFeatureGates(text: string): ParsedFeatureGates {
  const errors: string[] = [];
  const named = new Map<string, boolean>();
  for (const part of text.split(',').map((p) => p.trim())) {
    if (part === '') continue;
    const [name = '', value = '', ...rest] = part.split('=').map((p) => p.trim());
    const on = rest.length === 0 ? booleanOf(value) : undefined;
    if (on === undefined) {
      errors.push(`feature gate ${JSON.stringify(part)}: expected Name=true or Name=false`);
    } else if (named.has(name) && named.get(name) !== on) {
      errors.push(`feature gate ${name} is given twice with different values`);
    } else if (!isKnown(name)) {
      errors.push(`unknown feature gate ${JSON.stringify(name)}; known are ${known()}`);
    } else if (isGate(name) && GATES[name].stage === 'stable' && on !== GATES[name].on) {
      errors.push(`feature gate ${name} is stable and cannot be switched ${on ? 'on' : 'off'}`);
    } else {
      named.set(name, on);
    }
  }
  const gates = gatesWhere(
    (gate) => named.get(gate) ?? named.get(STAGE_WORDS[GATES[gate].stage]) ?? GATES[gate].on,
  );
  return { gates, errors };
}

const STAGE_WORDS: Record<GateStage, string> = { alpha: 'AllAlpha', beta: 'AllBeta', stable: '' };

function isGate(name: string): name is FeatureGate {
  return Object.hasOwn(GATES, name);
}

function isKnown(name: string): boolean {
  return isGate(name) || name === STAGE_WORDS.alpha || name === STAGE_WORDS.beta;
}

function known(): string {
  return [...NAMES, STAGE_WORDS.alpha, STAGE_WORDS.beta].sort().join(', ');
}

function booleanOf(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : undefined;
}

function gatesWhere(isOn: (gate: FeatureGate) => boolean): FeatureGates {
  return Object.fromEntries(NAMES.map((gate) => [gate, isOn(gate)])) as Record<
    FeatureGate,
    boolean
  >;
}
