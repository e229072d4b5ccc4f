import type { Logger } from 'pino';
import type { Clock } from '../api/clock.ts';
import type { RegistryParts } from '../registry/parts.ts';
import { clientCertificate } from './authentication/client-certificate.ts';
import { tokenFile } from './authentication/token-file.ts';
import { basicAuthorizer } from './authorization/authorizer.ts';
import { Discovery } from './discovery/discovery.ts';
import { PathIndex } from './discovery/path-index.ts';
import type { ServerConfig } from './flags.ts';
import { ResourceHandler } from './handlers/resource.ts';
import { Router } from './handlers/router.ts';
import type { HealthChecks } from './health/health-checks.ts';
import { Health } from './health/health.ts';
import type { Metrics } from './metrics/metrics.ts';
import { requestMetricsStage } from './metrics/request-stage.ts';
import { OpenApiV2 } from './openapi/openapi-v2.ts';
import { OpenApiV3 } from './openapi/openapi-v3.ts';
import { auditIdStage } from './pipeline/audit-id.ts';
import { authenticateStage } from './pipeline/authenticate.ts';
import { authorizeStage } from './pipeline/authorize.ts';
import { deadlineStage } from './pipeline/deadline.ts';
import type { Stage } from './pipeline/exchange.ts';
import { failuresStage } from './pipeline/failures.ts';
import { headersStage } from './pipeline/headers.ts';
import { requestLogStage } from './pipeline/request-log.ts';
import { handleVersion } from './version.ts';
import { respondError } from './wire/respond-status.ts';

export interface StageParts {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly clock: Clock;
  readonly parts: RegistryParts;
  readonly checks: HealthChecks;
  readonly metrics: Metrics;
  /** `host:port` by which clients reach this server. */
  readonly serverAddress: () => string;
}

/** The stages in the order in which they see a request (behaviours 11.1). */
export function stagesOf(use: StageParts): Stage[] {
  const { config, log, clock, parts, metrics } = use;
  const authenticators = [
    clientCertificate,
    ...(config.tokenAuthFile === undefined ? [] : [tokenFile(config.tokenAuthFile)]),
  ];
  const router = routerOf(use);
  return [
    auditIdStage(parts.newUid),
    requestLogStage(log, clock),
    requestMetricsStage(metrics, clock),
    headersStage,
    failuresStage(log, respondError),
    deadlineStage(clock, config.requestTimeoutSeconds * 1000),
    authenticateStage(authenticators, log),
    authorizeStage(basicAuthorizer),
    { name: 'dispatch', handle: (exchange) => router.handle(exchange) },
  ];
}

function routerOf(use: StageParts): Router {
  const { config, log, clock, parts, checks, metrics, serverAddress } = use;
  const resources = new ResourceHandler({ parts, maxBodyBytes: config.maxRequestBodyBytes });
  const discovery = new Discovery({ catalog: parts.catalog, serverAddress });
  const health = new Health({
    checks,
    onResult: (endpoint, name, isWell) => metrics.health.observe(endpoint, name, isWell),
    onFailure: (endpoint, name, error) => log.warn({ err: error, endpoint, name }, 'unhealthy'),
  });
  const v3 = new OpenApiV3({ discovery, clock });
  const v2 = new OpenApiV2({ v3, clock });
  const documents = [discovery, health, v3, v2, metrics];
  const index = new PathIndex([
    ...documents.map((document) => () => document.paths()),
    () => ['/version'],
  ]);
  return new Router(
    {
      handles: ({ group }) => discovery.hasGroup(group),
      handle: (exchange) => resources.handle(exchange),
    },
    [...documents, { handle: (request) => handleVersion(request) }, index],
  );
}
