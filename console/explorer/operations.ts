import { at, entriesAt, listAt, textAt, type Json } from '../api/json.ts';

/** A parameter of a request. */
export interface Parameter {
  readonly name: string;
  readonly place: 'path' | 'query';
  readonly description: string;
  readonly type: string;
  readonly isRequired: boolean;
}

/** Something that can be asked of the server. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  /** Types that the body may have; none: the request has no body. */
  readonly bodies: readonly string[];
}

const METHODS = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** The operations of an OpenAPI v3 document. */
export function operationsOf(document: Json): Operation[] {
  return entriesAt(document, 'paths').flatMap(([path, item]) => {
    const shared = listAt(item, 'parameters');
    return entriesAt(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        ...{ id: `${method} ${path}`, method: method.toUpperCase(), path },
        description: textAt(operation, 'description') || textAt(operation, 'summary'),
        parameters: [...shared, ...listAt(operation, 'parameters')].flatMap((each) =>
          parameterOf(document, each),
        ),
        bodies: entriesAt(operation, 'requestBody', 'content').map(([type]) => type),
      }));
  });
}

function parameterOf(document: Json, parameter: Json): Parameter[] {
  const ref = textAt(parameter, '$ref');
  const name = ref.slice(ref.lastIndexOf('/') + 1);
  const full = ref === '' ? parameter : (at(document, 'components', 'parameters', name) ?? {});
  const place = textAt(full, 'in');
  if (place !== 'path' && place !== 'query') return [];
  return [
    {
      ...{ name: textAt(full, 'name'), place, description: textAt(full, 'description') },
      type: textAt(full, 'schema', 'type'),
      isRequired: place === 'path' || at(full, 'required') === true,
    },
  ];
}

/** What a user has filled in. */
export interface Filled {
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly type: string;
}

/** The path of a request with its parameters in their places. */
export function pathWith({ path, parameters }: Operation, { values }: Filled): string {
  const query = new URLSearchParams();
  let filled = path;
  for (const { name, place } of parameters) {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    if (place === 'path') filled = filled.replaceAll(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.append(name, value);
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** A text as one word of a shell. */
export function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The request as a command of curl. `origin`: `https://127.0.0.1:6443`. */
export function curlOf(operation: Operation, filled: Filled, origin: string): string {
  const parts = ['curl -H "Authorization: Bearer $TOKEN" --cacert data/pki/ca.crt'];
  if (operation.method !== 'GET') parts.push(`-X ${operation.method}`);
  if (operation.bodies.length > 0 && filled.body !== '') {
    parts.push(
      `-H ${quoted(`Content-Type: ${filled.type}`)}`,
      `--data-binary ${quoted(filled.body)}`,
    );
  }
  parts.push(quoted(`${origin}${pathWith(operation, filled)}`));
  return parts.join(' \\\n  ');
}

const RAW: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  DELETE: 'delete',
};

/** The request as a command of kubectl; undefined: kubectl has none for it. */
export function kubectlOf(operation: Operation, filled: Filled): string | undefined {
  const verb = Object.hasOwn(RAW, operation.method) ? RAW[operation.method] : undefined;
  if (verb === undefined) return undefined;
  const command = `kubectl ${verb} --raw ${quoted(pathWith(operation, filled))}`;
  if (operation.bodies.length === 0 || filled.body === '') return command;
  return `${command} -f - <<'BODY'\n${filled.body}\nBODY`;
}
