import type { Logger } from 'pino';
import type { Clock } from '../api/clock.ts';
import type { LoopStatus } from '../controllers/manager.ts';
import type { RegistryParts } from '../registry/parts.ts';
import type { Query } from '../api/query.ts';
import type { Access } from '../access/access.ts';
import { IssuerDocuments } from '../access/accounts/issuer-documents.ts';
import { TokenRequests } from '../access/accounts/token-requests.ts';
import type { AdmissionActivity } from './admission/activity.ts';
import { AdmissionPage } from './admission/activity-page.ts';
import type { Aggregation } from './aggregation/aggregation.ts';
import { LoopsPage } from '../telemetry/debug/loops-page.ts';
import { Discovery } from '../discovery/discovery.ts';
import { PathIndex } from '../discovery/path-index.ts';
import type { Auditor } from '../access/audit/auditor.ts';
import type { ServerConfig } from '../config/flags.ts';
import { identityReviewers } from '../access/authentication/identity-reviews.ts';
import { VisibleParts } from '../access/authorization/parts/visible-parts.ts';
import { OpenStreams } from '../access/authorization/open-streams.ts';
import { accessReviewers } from '../access/authorization/access-reviews.ts';
import { Combined } from '../combined/combined.ts';
import { consoleStages } from './console/console-stage.ts';
import { ComputedHandler } from './handlers/computed.ts';
import { OpenSelectors } from './handlers/open-selectors.ts';
import { contextOf } from './handlers/request-context.ts';
import { ResourceHandler } from './handlers/resource.ts';
import { Reviews } from '../access/reviews.ts';
import { Router } from './handlers/router.ts';
import { filterFamily } from '../telemetry/metrics/filter-metrics.ts';
import { filterEvaluations } from '../query/filter.ts';
import { componentStatuses } from '../telemetry/health/components.ts';
import { FailureLog } from '../telemetry/health/failure-log.ts';
import type { HealthChecks } from '../telemetry/health/health-checks.ts';
import { Health } from '../telemetry/health/health.ts';
import type { Metrics } from '../telemetry/metrics/metrics.ts';
import { requestKey, requestMetricsFrame } from '../telemetry/metrics/request-stage.ts';
import { OpenApiV2 } from '../discovery/openapi/openapi-v2.ts';
import { OpenApiV3 } from '../discovery/openapi/openapi-v3.ts';
import { limitStage } from './overload/limit-stage.ts';
import { Limits } from './overload/limits.ts';
import { listWidth } from './overload/list-width.ts';
import type { Shutdown } from './overload/shutdown.ts';
import { auditIdFrame } from './pipeline/audit-id.ts';
import { authenticateStage } from './pipeline/authenticate.ts';
import { authorizeStage } from './pipeline/authorize.ts';
import { corsStage } from './pipeline/cors.ts';
import { deadlineStage } from './pipeline/deadline.ts';
import { framed, type Stage } from '../http/exchange.ts';
import { failuresStage } from './pipeline/failures.ts';
import { headersFrame } from './pipeline/headers.ts';
import { impersonateStage } from './pipeline/impersonate.ts';
import { originStage } from './pipeline/origin.ts';
import type { RequestInfo } from '../http/request-info.ts';
import { requestLogFrame } from './pipeline/request-log.ts';
import { handleVersion } from '../discovery/version.ts';
import { respondError } from '../wire/respond-status.ts';

interface StageParts {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly clock: Clock;
  readonly parts: RegistryParts;
  readonly access: Access;
  readonly checks: HealthChecks;
  readonly metrics: Metrics;
  readonly shutdown: Shutdown;
  readonly auditor: Auditor;
  readonly loops: () => LoopStatus;
  readonly aggregation: Aggregation;
  /** What webhooks and policies match. */
  readonly activity: AdmissionActivity;
  /** `host:port` by which clients reach this server. */
  readonly serverAddress: () => string;
}

/** The stages in the order in which they see a request (behaviours 11.1). */
export function stagesOf(use: StageParts): Stage[] {
  const { config, log, clock, parts, access, metrics, shutdown, auditor } = use;
  const streams = new OpenStreams({
    ...{ authorizer: access.authorizer, clock },
    periodMs: config.streamRecheckPeriod * 1000,
  });
  const visible = new VisibleParts({ ...access, log: access.rights, clock });
  const router = routerOf(use, streams, visible);
  const { replica } = parts.reader;
  const widthOf = (info: RequestInfo, query: Query): number =>
    listWidth(info, query, parts.catalog, replica);
  return [
    framed([
      auditIdFrame(parts.newUid),
      requestLogFrame(log, clock),
      requestMetricsFrame(metrics, clock),
      shutdown.countFrame,
      headersFrame(config.strictTransportSecurityDirectives),
    ]),
    ...(config.corsAllowedOrigins.length === 0 ? [] : [corsStage(config.corsAllowedOrigins)]),
    failuresStage(respondError),
    originStage(config.corsAllowedOrigins),
    shutdown.refuseStage,
    deadlineStage(clock, config.requestTimeoutSeconds * 1000, (exchange) =>
      metrics.load.terminated(requestKey(exchange), 504),
    ),
    ...consoleStages(use),
    ...auditor.refusalStages,
    authenticateStage({ ...access, metrics: metrics.access, clock }),
    ...auditor.stages,
    impersonateStage(access.authorizer, log),
    limitStage({ limits: limitsOf(use), widthOf, metrics }),
    authorizeStage(access.authorizer, metrics.access, clock, { streams, visible }),
    { name: 'dispatch', handle: (exchange) => router.handle(exchange) },
  ];
}

/** A request may wait for a quarter of its time; the rest is for the work. */
const WAIT_SHARE = 1 / 4;

function limitsOf({ config, clock, metrics }: StageParts): Limits {
  const limits = new Limits({
    maxReading: config.maxRequestsInflight,
    maxMutating: config.maxMutatingRequestsInflight,
    maxLongRunning: config.maxLongRunningRequests,
    isFair: config.enablePriorityAndFairness,
    maxWaitMs: config.requestTimeoutSeconds * 1000 * WAIT_SHARE,
    clock,
  });
  metrics.addFamilies([...limits.metrics.families(), filterFamily(filterEvaluations)]);
  return limits;
}

function routerOf(use: StageParts, streams: OpenStreams, visible: VisibleParts): Router {
  const { config, log, clock, parts, access, checks, metrics, loops, aggregation, serverAddress } =
    use;
  const { maxRequestBodyBytes: maxBodyBytes } = config;
  const aliases = config.kubernetesNames !== 'off';
  const selectors = new OpenSelectors();
  const resources = new ResourceHandler({
    ...{ parts, selectors },
    authorizer: access.authorizer,
    ...{ maxBodyBytes, aliases },
    onDeprecated: ({ resource, version }, subresource) =>
      metrics.access.deprecatedApi(resource, subresource, removedIn(version.deprecation)),
    computed: new ComputedHandler({
      objects: () => componentStatuses(checks),
      ...{ clock, selectable: parts.views.selectable },
    }),
    reviews: new Reviews({
      ...accessReviewers(access.authorizer),
      ...identityReviewers({ tokens: access.tokens, audiences: config.apiAudiences, clock }),
    }),
  });
  const registrations = aggregation.documents;
  const discovery = new Discovery({
    ...{ catalog: parts.catalog, registrations, serverAddress },
    kubernetesNames: config.kubernetesNames,
  });
  const failures = new FailureLog(log, clock);
  const health = new Health({
    checks,
    onResult: (endpoint, name, isWell) => metrics.health.observe(endpoint, name, isWell),
    onFailure: (endpoint, name, error) => failures.failed(endpoint, name, error),
  });
  const v3 = new OpenApiV3({ discovery, clock, remote: aggregation.documents });
  const v2 = new OpenApiV2({ v3, clock });
  const issuer = new IssuerDocuments({ ...access.accounts, serverAddress });
  const combined = new Combined({
    ...{ parts, authorizer: access.authorizer, streams, selectors, visible, aliases },
  });
  const { activity } = use;
  metrics.addFamilies(activity.families());
  const admissionPage = new AdmissionPage({
    activity,
    authorizer: access.authorizer,
    clock: use.clock,
  });
  const documents = [discovery, health, v3, v2, metrics, new LoopsPage(loops), issuer];
  const index = new PathIndex([
    ...documents.map((document) => () => document.paths()),
    () => combined.paths(),
    () => admissionPage.paths(),
    () => ['/version'],
  ]);
  return new Router(
    [
      combined,
      admissionPage,
      aggregation,
      new TokenRequests({
        ...access.accounts,
        ...{ clock, maxBodyBytes, aliases, parts, contextOf },
        maxSeconds: config.serviceAccountMaxTokenExpiration,
      }),
    ],
    {
      handles: ({ group }) => discovery.hasGroup(group),
      handle: (exchange) => resources.handle(exchange),
    },
    [...documents, { handle: (request) => handleVersion(request) }, index],
  );
}

/** The release in which a version goes, as its warning tells it: `unavailable in v1.40+`. */
function removedIn(deprecation = ''): string {
  return /unavailable in v(\d+\.\d+)/.exec(deprecation)?.[1] ?? '';
}
