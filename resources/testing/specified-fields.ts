/**
 * The tables of the specification, one line per field: its path, its type, `!`
 * when it is required, and how lists and maps merge. Where the specification
 * does not show fields (ObjectReference, the spec of Namespace, LabelSelector)
 * these are the ones that clients know. For tests.
 */
const CONDITION = `
    status.conditions.type string!
    status.conditions.status string!
    status.conditions.lastTransitionTime time
    status.conditions.reason string
    status.conditions.message string`;

const selector = (path: string): string => `
    ${path} struct
    ${path}.matchLabels map[string]string
    ${path}.matchExpressions []struct (atomic)
    ${path}.matchExpressions.key string!
    ${path}.matchExpressions.operator string!
    ${path}.matchExpressions.values []string (atomic)`;

const reference = (path: string): string =>
  `
    ${path} struct` +
  ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']
    .map((field) => `\n    ${path}.${field} string`)
    .join('');

const configSource = (path: string): string => `
    ${path} struct
    ${path}.configMap struct
    ${path}.configMap.namespace string!
    ${path}.configMap.name string!
    ${path}.configMap.uid string
    ${path}.configMap.resourceVersion string
    ${path}.configMap.nodeAgentConfigKey string!`;

const WEBHOOK = `
    webhooks []struct (map name)
    webhooks.name string!
    webhooks.clientConfig struct!
    webhooks.clientConfig.url string
    webhooks.clientConfig.caBundle bytes
    webhooks.clientConfig.service struct
    webhooks.clientConfig.service.namespace string!
    webhooks.clientConfig.service.name string!
    webhooks.clientConfig.service.path string
    webhooks.clientConfig.service.port int32
    webhooks.rules []struct (atomic)
    webhooks.rules.operations []string (atomic)
    webhooks.rules.apiGroups []string (atomic)
    webhooks.rules.apiVersions []string (atomic)
    webhooks.rules.resources []string (atomic)
    webhooks.rules.scope string
    webhooks.failurePolicy string
    webhooks.matchPolicy string${selector('webhooks.namespaceSelector')}${selector('webhooks.objectSelector')}
    webhooks.sideEffects string!
    webhooks.timeoutSeconds int32
    webhooks.admissionReviewVersions []string! (atomic)
    webhooks.matchConditions []struct (map name)
    webhooks.matchConditions.name string!
    webhooks.matchConditions.expression string!`;

export const SPECIFIED: Readonly<Record<string, string>> = {
  APIService: `
    spec struct
    spec.groupPriorityMinimum int32!
    spec.versionPriority int32!
    spec.caBundle bytes
    spec.group string
    spec.insecureSkipTLSVerify boolean
    spec.service struct
    spec.service.name string
    spec.service.namespace string
    spec.service.port int32
    spec.version string
    status struct
    status.conditions []struct (map type)${CONDITION}`,
  ComponentStatus: `
    conditions []struct (map type)
    conditions.type string!
    conditions.status string!
    conditions.error string
    conditions.message string`,
  Event: `
    eventTime microTime!
    action string
    deprecatedCount int32
    deprecatedFirstTimestamp time
    deprecatedLastTimestamp time
    deprecatedSource struct
    deprecatedSource.component string
    deprecatedSource.host string
    note string
    reason string${reference('regarding')}${reference('related')}
    reportingController string
    reportingInstance string
    series struct
    series.count int32!
    series.lastObservedTime microTime!
    type string`,
  IPAddress: `
    spec struct
    spec.parentRef struct!
    spec.parentRef.name string!
    spec.parentRef.resource string!
    spec.parentRef.group string
    spec.parentRef.namespace string`,
  Lease: `
    spec struct
    spec.acquireTime microTime
    spec.holderIdentity string
    spec.leaseDurationSeconds int32
    spec.leaseTransitions int32
    spec.preferredHolder string
    spec.renewTime microTime
    spec.strategy string`,
  LeaseCandidate: `
    spec struct
    spec.binaryVersion string!
    spec.leaseName string!
    spec.strategy string!
    spec.emulationVersion string
    spec.pingTime microTime
    spec.renewTime microTime`,
  Namespace: `
    spec struct
    spec.finalizers []string (atomic)
    status struct
    status.phase string
    status.conditions []struct (map type)${CONDITION}`,
  ServiceCIDR: `
    spec struct
    spec.cidrs []string (atomic)
    status struct
    status.conditions []struct (map type)
    status.conditions.lastTransitionTime time!
    status.conditions.message string!
    status.conditions.reason string!
    status.conditions.status string!
    status.conditions.type string!
    status.conditions.observedGeneration int64`,
  Node: `
    spec struct${configSource('spec.configSource')}
    spec.externalID string
    spec.podCIDR string
    spec.podCIDRs []string (set)
    spec.providerID string
    spec.taints []struct (atomic)
    spec.taints.effect string!
    spec.taints.key string!
    spec.taints.timeAdded time
    spec.taints.value string
    spec.unschedulable boolean
    status struct
    status.addresses []struct (map type)
    status.addresses.address string!
    status.addresses.type string!
    status.allocatable map[string]quantity
    status.capacity map[string]quantity
    status.conditions []struct (map type)
    status.conditions.lastHeartbeatTime time${CONDITION}
    status.config struct${configSource('status.config.active')}${configSource('status.config.assigned')}${configSource('status.config.lastKnownGood')}
    status.config.error string
    status.daemonEndpoints struct
    status.daemonEndpoints.nodeAgentEndpoint struct
    status.daemonEndpoints.nodeAgentEndpoint.Port int32!
    status.features struct
    status.features.supplementalGroupsPolicy boolean
    status.images []struct (atomic)
    status.images.names []string (atomic)
    status.images.sizeBytes int64
    status.nodeInfo struct
    status.nodeInfo.architecture string!
    status.nodeInfo.bootID string!
    status.nodeInfo.containerRuntimeVersion string!
    status.nodeInfo.kernelVersion string!
    status.nodeInfo.proxyVersion string!
    status.nodeInfo.nodeAgentVersion string!
    status.nodeInfo.machineID string!
    status.nodeInfo.operatingSystem string!
    status.nodeInfo.osImage string!
    status.nodeInfo.swap struct
    status.nodeInfo.swap.capacity int64
    status.phase string
    status.runtimeHandlers []struct (atomic)
    status.runtimeHandlers.features struct
    status.runtimeHandlers.features.recursiveReadOnlyMounts boolean
    status.runtimeHandlers.features.userNamespaces boolean
    status.runtimeHandlers.name string
    status.volumesAttached []struct (atomic)
    status.volumesAttached.devicePath string!
    status.volumesAttached.name string!
    status.volumesInUse []string (atomic)`,
  RuntimeClass: `
    handler string!
    overhead struct
    overhead.podFixed map[string]quantity
    scheduling struct
    scheduling.nodeSelector map[string]string (atomic)
    scheduling.tolerations []struct (atomic)
    scheduling.tolerations.key string
    scheduling.tolerations.operator string
    scheduling.tolerations.value string
    scheduling.tolerations.effect string
    scheduling.tolerations.tolerationSeconds int64`,
  DeviceClass: `
    spec struct!
    spec.config []struct (atomic)
    spec.config.opaque struct
    spec.config.opaque.driver string!
    spec.config.opaque.parameters raw!
    spec.extendedResourceName string
    spec.selectors []struct (atomic)
    spec.selectors.cel struct
    spec.selectors.cel.expression string!`,
  ValidatingWebhookConfiguration: WEBHOOK,
  MutatingWebhookConfiguration: `${WEBHOOK}
    webhooks.reinvocationPolicy string`,
};
