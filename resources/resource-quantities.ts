import { fieldError, type FieldError } from '../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../api/field-error-list.ts';
import type { FieldPath } from '../api/field-path.ts';
import { hasOwn, type JsonObject } from '../api/json.ts';
import { qualifiedNameErrors } from '../api/names.ts';
import { NATIVE_DOMAINS } from '../api/naming.ts';
import { Quantity } from '../api/quantity.ts';

/** Amounts of resources by name, as they stand in an object: `{"cpu": "4", "memory": "8Gi"}`. */
export type ResourceList = Record<string, string>;

/** Resources that are counted in whole units. */
const INTEGER_RESOURCES: ReadonlySet<string> = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const CONTAINER_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const HUGE_PAGES = 'hugepages-';
/** How quotas name what is asked for: `requests.example.com/gpu`. */
const QUOTA_PREFIX = 'requests.';
const MILLI = -3;

/** Native resources have no domain, or one of the project, under either of its names. */
function isNative(name: string): boolean {
  const slash = name.indexOf('/');
  if (slash < 0) return true;
  const domain = name.slice(0, slash);
  return NATIVE_DOMAINS.some((native) => domain === native || domain.endsWith(`.${native}`));
}

/** The name of a resource that another party defines: `example.com/gpu`. Source: core helpers, IsExtendedResourceName. */
export function isExtendedResourceName(name: string): boolean {
  if (isNative(name) || name.startsWith(QUOTA_PREFIX)) return false;
  return qualifiedNameErrors(QUOTA_PREFIX + name).length === 0;
}

/** An amount is not negative, and whole where the resource is counted. Source: ValidateResourceQuantityValue. */
export function validateAmount(path: FieldPath, resource: string, amount: string): FieldError[] {
  const quantity = Quantity.parse(amount);
  if (quantity === undefined) return [fieldError.invalid(path, amount, 'must be a quantity')];
  const errors: FieldError[] = [];
  if (quantity.sign() < 0) {
    errors.push(fieldError.invalid(path, amount, 'must be greater than or equal to 0'));
  }
  const isCounted = INTEGER_RESOURCES.has(resource) || isExtendedResourceName(resource);
  if (isCounted && !quantity.isWhole()) {
    errors.push(fieldError.invalid(path, amount, 'must be an integer'));
  }
  return errors;
}

/** What containers may ask for: standard resources, or extended ones. Source: validateContainerResourceName. */
export function validateContainerResourceName(path: FieldPath, name: string): FieldError[] {
  const errors = invalidEach(path, name, qualifiedNameErrors(name));
  if (errors.length > 0) return errors;
  if (!name.includes('/')) {
    const isStandard = CONTAINER_RESOURCES.has(name) || name.startsWith(HUGE_PAGES);
    return isStandard
      ? []
      : [fieldError.invalid(path, name, 'must be a standard resource for containers')];
  }
  return isNative(name) || isExtendedResourceName(name)
    ? []
    : [fieldError.invalid(path, name, "doesn't follow extended resource name standard")];
}

/**
 * Huge pages come whole, and together with processor or memory. `path` is
 * where the amounts belong to, `of` the path of one.
 * Source: validateResourceRequirements, IsHugePageResourceValueDivisible.
 */
export function validateHugePages(
  path: FieldPath,
  amounts: ResourceList,
  of: (resource: string) => FieldPath,
): FieldError[] {
  const pages = Object.entries(amounts).filter(([resource]) => resource.startsWith(HUGE_PAGES));
  const errors = errorsOfEach(pages, ([resource, amount]) => {
    const quantity = Quantity.parse(amount)?.ceiling();
    const size = Quantity.parse(resource.slice(HUGE_PAGES.length));
    const isMultiple =
      quantity === undefined ||
      (size !== undefined && size.sign() > 0 && size.isWhole() && quantity % size.ceiling() === 0n);
    const why = `${amount} is not positive integer multiple of ${resource}`;
    return isMultiple ? [] : [fieldError.invalid(of(resource), amount, why)];
  });
  if (pages.length > 0 && !['cpu', 'memory'].some((name) => hasOwn(amounts, name))) {
    errors.push(fieldError.forbidden(path, 'HugePages require cpu or memory'));
  }
  return errors;
}

/** Nothing finer than a thousandth is kept: rounded up, in place. Source: SetDefaults_ResourceList. */
export function roundAmounts(amounts: JsonObject): void {
  for (const resource in amounts) {
    if (!hasOwn(amounts, resource)) continue;
    const amount = amounts[resource];
    // only texts with a fraction, an exponent or a small suffix can be finer
    if (typeof amount !== 'string' || !/[.nue]/i.test(amount)) continue;
    const rounded = Quantity.parse(amount)?.roundUp(MILLI).toString();
    if (rounded !== undefined && rounded !== amount) amounts[resource] = rounded;
  }
}
