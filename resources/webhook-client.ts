import { fieldError, type FieldError } from '../api/field-error.ts';
import { errorsOfEach, invalidEach } from '../api/field-error-list.ts';
import type { FieldPath } from '../api/field-path.ts';
import { getPath, isObject, type JsonValue } from '../api/json.ts';
import { dns1123SubdomainErrors, portNumberErrors } from '../api/names.ts';
import { bytes, int32, string, struct, use } from '../schema/dsl.ts';
import type { StructOf, Typed } from '../schema/shape.ts';
import { bundleSizeErrors } from './ca-bundle.ts';
import { parseUrl } from './webhook-url.ts';

const DEFAULT_PORT = 443;
const DESIRED = '; desired format: https://host[/path]';

const serviceFields = {
  namespace: string({ required: true, description: 'The namespace of the service.' }),
  name: string({ required: true, description: 'The name of the service.' }),
  path: string({
    pointer: true,
    description: 'The path of the URL to which every request is sent.',
  }),
  port: int32({
    pointer: true,
    default: DEFAULT_PORT,
    description: 'The port of the service, from 1 to 65535; 443 unless said.',
  }),
};
const clientFields = {
  url: string({
    pointer: true,
    description:
      'Where the webhook is: `https://host:port/path`. No user information, query or fragment. Services of the cluster are named by `service` instead. Exactly one of the two is set.',
  }),
  caBundle: bytes({
    description:
      'Certificates in PEM that verify the webhook. Without them those of the system are used.',
  }),
};

type ServiceValue = StructOf<typeof serviceFields>;

/** How a webhook is reached: admission webhooks and conversion webhooks alike. */
export type ClientConfigValue = StructOf<typeof clientFields> & { service?: ServiceValue };

/** The schema, with the names of the group and version (`io.cluster.apiextensions.v1`) that it belongs to. */
export function webhookClientConfig(group: string): Typed<ClientConfigValue, 'struct'> {
  const service = struct(`${group}.ServiceReference`, serviceFields, {
    numbers: { namespace: 1, name: 2, path: 3, port: 4 },
  });
  return struct(
    `${group}.WebhookClientConfig`,
    {
      url: clientFields.url,
      service: use(service, {
        pointer: true,
        description: 'The service of the webhook. Exactly one of service and url is set.',
      }),
      caBundle: clientFields.caBundle,
    },
    {
      description: 'How to reach a webhook. Only over HTTPS.',
      numbers: { service: 1, caBundle: 2, url: 3 },
    },
  );
}

/** Fills in the port of a service; in place. */
export function defaultClientConfig(config: JsonValue | undefined): void {
  const service = getPath(config, 'service');
  if (isObject(service)) service['port'] ??= DEFAULT_PORT;
}

/** Source: specification 3, section 2.1, conversion; behaviours 8.12. */
export function validateClientConfig(path: FieldPath, config: ClientConfigValue): FieldError[] {
  const { url, service, caBundle } = config;
  if ((url === undefined) === (service === undefined)) {
    return [fieldError.required(path, 'exactly one of url or service is required')];
  }
  const errors = bundleSizeErrors(path.child('caBundle'), caBundle);
  if (url !== undefined) return [...errors, ...validateUrl(path.child('url'), url)];
  if (service === undefined) return errors;
  return [...errors, ...validateService(path.child('service'), service)];
}

function validateUrl(path: FieldPath, text: string): FieldError[] {
  const url = parseUrl(text);
  if ('error' in url) {
    return [fieldError.required(path, `url must be a valid URL: ${url.error}${DESIRED}`)];
  }
  const errors: FieldError[] = [];
  const refuse = (value: string, why: string): void => {
    errors.push(fieldError.invalid(path, value, why));
  };
  if (url.scheme !== 'https')
    refuse(url.scheme, `'https' is the only allowed URL scheme${DESIRED}`);
  if (url.host === '') refuse(url.host, `host must be specified${DESIRED}`);
  if (namesService(url.host)) {
    refuse(url.host, 'a service of the cluster must be set in service, not in url');
  }
  // what a user wrote there may be a secret, so the message does not repeat it
  if (url.user !== undefined) refuse('', 'user information is not permitted in the URL');
  if (url.fragment !== '') refuse(url.fragment, 'fragments are not permitted in the URL');
  if (url.query !== '') refuse(url.query, 'query parameters are not permitted in the URL');
  return errors;
}

/** `name.namespace.svc`, alone or below the usual domain of a cluster; with a port or without. */
function namesService(host: string): boolean {
  const name = host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
  return /^[^.]+\.[^.]+\.svc(\.cluster\.local)?$/.test(name);
}

function validateService(
  path: FieldPath,
  { namespace, name, path: urlPath = '', port = DEFAULT_PORT }: ServiceValue,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '') errors.push(fieldError.required(path.child('name')));
  if (namespace === '') errors.push(fieldError.required(path.child('namespace')));
  const portErrors = portNumberErrors(port).map((text) => `port is not valid: ${text}`);
  errors.push(...invalidEach(path.child('port'), port, portErrors));
  return [...errors, ...validatePath(path.child('path'), urlPath)];
}

/** Each segment is a DNS subdomain; one slash at the end does no harm. */
function validatePath(path: FieldPath, text: string): FieldError[] {
  if (text === '' || text === '/') return [];
  if (!text.startsWith('/')) return [fieldError.invalid(path, text, "must start with a '/'")];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  return errorsOfEach(segments, (segment, i) =>
    segment === ''
      ? [fieldError.invalid(path, text, `segment[${i}] may not be empty`)]
      : invalidEach(
          path,
          text,
          dns1123SubdomainErrors(segment).map((why) => `segment[${i}]: ${why}`),
        ),
  );
}
