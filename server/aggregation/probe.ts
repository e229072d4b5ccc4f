import { CallError } from '../../outbound/call-error.ts';
import { addressOf } from '../../outbound/endpoint.ts';
import type { Probe, ProbeResult } from '../../controllers/api-services/availability-loop.ts';
import { remoteOf, type RemoteService } from './api-services.ts';
import type { RemoteCaller } from './remote-caller.ts';

/** A server that has not answered after so long is not there. */
const TIMEOUT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Asks for the resources of the group and version: a server that lists them serves it. */
export function availabilityProbe(caller: RemoteCaller): Probe {
  return async (service, signal) => {
    const remote = remoteOf(service);
    const { group = '', version = '' } = service.spec;
    const path = `/apis/${group}/${version}`;
    try {
      const { status } = await caller.call(remote, {
        ...{ path, signal, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES },
      });
      if (status >= 200 && status < 300) return PASSED;
      return failed(`bad status from ${urlOf(remote, path)}: ${status}`);
    } catch (error) {
      if (isUnknownHost(error)) return notFound(remote);
      return failed(
        `failing or missing response from ${urlOf(remote, path)}: ${(error as Error).message}`,
      );
    }
  };
}

const PASSED: ProbeResult = { status: 'True', reason: 'Passed', message: 'all checks passed' };

function failed(message: string): ProbeResult {
  return { status: 'False', reason: 'FailedDiscoveryCheck', message };
}

function notFound({ namespace, name }: RemoteService): ProbeResult {
  const message = `service/${name} in ${JSON.stringify(namespace)} is not present`;
  return { status: 'False', reason: 'ServiceNotFound', message };
}

const UNKNOWN_HOST = new Set<unknown>(['ENOTFOUND', 'EAI_AGAIN']);

function isUnknownHost(error: unknown): boolean {
  const { cause } = error instanceof CallError ? error : {};
  return UNKNOWN_HOST.has((cause as { code?: unknown } | undefined)?.code);
}

function urlOf({ namespace, name, port }: RemoteService, path: string): string {
  return `https://${addressOf({ host: `${name}.${namespace}.svc`, port })}${path}`;
}
