import { Environment } from './environment.ts';
import { AUTHORIZER_LIBRARY } from './libraries/authorizer.ts';
import { BINDINGS_LIBRARY } from './libraries/bindings.ts';
import { CIDR_LIBRARY } from './libraries/cidr.ts';
import { IP_LIBRARY } from './libraries/ip.ts';
import { JSON_PATCH_LIBRARY } from './libraries/json-patch.ts';
import type { Library } from './libraries/library.ts';
import { LIST_EXTENSIONS_LIBRARY } from './libraries/list-extensions.ts';
import { INCLUDES_LIBRARY, LISTS_LIBRARY } from './libraries/lists.ts';
import { LITERALS_LIBRARY } from './libraries/literals.ts';
import { NAMED_FORMATS_LIBRARY } from './libraries/named-formats.ts';
import { OPTIONALS_LIBRARY } from './libraries/optionals.ts';
import { QUANTITY_LIBRARY } from './libraries/quantity.ts';
import { REGEX_LIBRARY } from './libraries/regex.ts';
import { SEMVER_LIBRARY } from './libraries/semver.ts';
import { SETS_LIBRARY } from './libraries/sets.ts';
import { STRINGS_LIBRARY } from './libraries/string-library.ts';
import { TWO_VARIABLE_LIBRARY } from './libraries/two-variable.ts';
import { URLS_LIBRARY } from './libraries/urls.ts';

/** What every expression of the API may use. Source: k8s.io/apiserver pkg/cel/environment, 1.36. */
export const API_LIBRARIES: readonly Library[] = [
  LITERALS_LIBRARY,
  OPTIONALS_LIBRARY,
  STRINGS_LIBRARY,
  REGEX_LIBRARY,
  LISTS_LIBRARY,
  LIST_EXTENSIONS_LIBRARY,
  SETS_LIBRARY,
  TWO_VARIABLE_LIBRARY,
  URLS_LIBRARY,
  IP_LIBRARY,
  CIDR_LIBRARY,
  QUANTITY_LIBRARY,
  SEMVER_LIBRARY,
  NAMED_FORMATS_LIBRARY,
  AUTHORIZER_LIBRARY,
];

/** Rules of CRDs and match conditions: to be extended with variables. */
export const API_ENVIRONMENT = Environment.create({ libraries: API_LIBRARIES });

/** Expressions that say how an object is to be changed. */
export const MUTATION_ENVIRONMENT = API_ENVIRONMENT.extend({ libraries: [JSON_PATCH_LIBRARY] });

/** Selectors of devices. */
export const DEVICE_ENVIRONMENT = API_ENVIRONMENT.extend({
  libraries: [BINDINGS_LIBRARY, INCLUDES_LIBRARY],
});
