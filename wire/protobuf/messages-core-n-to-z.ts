/*
 * Numbers of the messages of workloads, as Kubernetes' API has them (k8s.io/api
 * 0.36). One message to a line: its fields as name:number:type, which
 * `workload-kinds.ts` reads.
 */
export const CORE_MESSAGES_N_TO_Z = `
# core/v1
NFSVolumeSource server:1:!s path:2:!s readOnly:3:b
NodeAffinity requiredDuringSchedulingIgnoredDuringExecution:1:NodeSelector preferredDuringSchedulingIgnoredDuringExecution:2:[]PreferredSchedulingTerm
NodeAllocatableResourceClaimStatus resourceClaimName:1:!s containers:2:[]s resources:3:{}Q
NodeSelector nodeSelectorTerms:1:[]NodeSelectorTerm
NodeSelectorRequirement key:1:!s operator:2:!s values:3:[]s
NodeSelectorTerm matchExpressions:1:[]NodeSelectorRequirement matchFields:2:[]NodeSelectorRequirement
ObjectFieldSelector apiVersion:1:s fieldPath:2:!s
ObjectReference kind:1:s namespace:2:s name:3:s uid:4:s apiVersion:5:s resourceVersion:6:s fieldPath:7:s
PersistentVolume metadata:1:meta.ObjectMeta spec:2:PersistentVolumeSpec status:3:PersistentVolumeStatus
PersistentVolumeClaim metadata:1:meta.ObjectMeta spec:2:PersistentVolumeClaimSpec status:3:PersistentVolumeClaimStatus
PersistentVolumeClaimCondition type:1:!s status:2:!s lastProbeTime:3:T lastTransitionTime:4:T reason:5:s message:6:s
PersistentVolumeClaimSpec accessModes:1:[]s selector:4:meta.LabelSelector resources:2:VolumeResourceRequirements volumeName:3:s storageClassName:5:*s volumeMode:6:*s dataSource:7:TypedLocalObjectReference dataSourceRef:8:TypedObjectReference volumeAttributesClassName:9:*s
PersistentVolumeClaimStatus phase:1:s accessModes:2:[]s capacity:3:{}Q conditions:4:[]PersistentVolumeClaimCondition allocatedResources:5:{}Q allocatedResourceStatuses:7:{}s currentVolumeAttributesClassName:8:*s modifyVolumeStatus:9:ModifyVolumeStatus
PersistentVolumeClaimTemplate metadata:1:meta.ObjectMeta spec:2:PersistentVolumeClaimSpec
PersistentVolumeClaimVolumeSource claimName:1:!s readOnly:2:b
PersistentVolumeSource gcePersistentDisk:1:GCEPersistentDiskVolumeSource awsElasticBlockStore:2:AWSElasticBlockStoreVolumeSource hostPath:3:HostPathVolumeSource glusterfs:4:GlusterfsPersistentVolumeSource nfs:5:NFSVolumeSource rbd:6:RBDPersistentVolumeSource iscsi:7:ISCSIPersistentVolumeSource cinder:8:CinderPersistentVolumeSource cephfs:9:CephFSPersistentVolumeSource fc:10:FCVolumeSource flocker:11:FlockerVolumeSource flexVolume:12:FlexPersistentVolumeSource azureFile:13:AzureFilePersistentVolumeSource vsphereVolume:14:VsphereVirtualDiskVolumeSource quobyte:15:QuobyteVolumeSource azureDisk:16:AzureDiskVolumeSource photonPersistentDisk:17:PhotonPersistentDiskVolumeSource portworxVolume:18:PortworxVolumeSource scaleIO:19:ScaleIOPersistentVolumeSource local:20:LocalVolumeSource storageos:21:StorageOSPersistentVolumeSource csi:22:CSIPersistentVolumeSource
PersistentVolumeSpec capacity:1:{}Q @:2:PersistentVolumeSource accessModes:3:[]s claimRef:4:ObjectReference persistentVolumeReclaimPolicy:5:s storageClassName:6:s mountOptions:7:[]s volumeMode:8:*s nodeAffinity:9:VolumeNodeAffinity volumeAttributesClassName:10:*s
PersistentVolumeStatus phase:1:s message:2:s reason:3:s lastPhaseTransitionTime:4:T
PhotonPersistentDiskVolumeSource pdID:1:!s fsType:2:s
Pod metadata:1:meta.ObjectMeta spec:2:PodSpec status:3:PodStatus
PodAffinity requiredDuringSchedulingIgnoredDuringExecution:1:[]PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:[]WeightedPodAffinityTerm
PodAffinityTerm labelSelector:1:meta.LabelSelector namespaces:2:[]s topologyKey:3:!s namespaceSelector:4:meta.LabelSelector matchLabelKeys:5:[]s mismatchLabelKeys:6:[]s
PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution:1:[]PodAffinityTerm preferredDuringSchedulingIgnoredDuringExecution:2:[]WeightedPodAffinityTerm
PodCertificateProjection signerName:1:s keyType:2:s maxExpirationSeconds:3:*i credentialBundlePath:4:s keyPath:5:s certificateChainPath:6:s userAnnotations:7:{}s
PodCondition type:1:!s observedGeneration:7:l status:2:!s lastProbeTime:3:T lastTransitionTime:4:T reason:5:s message:6:s
PodDNSConfig nameservers:1:[]s searches:2:[]s options:3:[]PodDNSConfigOption
PodDNSConfigOption name:1:s value:2:*s
PodExtendedResourceClaimStatus requestMappings:1:[]ContainerExtendedResourceRequest resourceClaimName:2:!s
PodIP ip:1:!s
PodOS name:1:!s
PodReadinessGate conditionType:1:!s
PodResourceClaim name:1:!s resourceClaimName:3:*s resourceClaimTemplateName:4:*s
PodResourceClaimStatus name:1:!s resourceClaimName:2:*s
PodSchedulingGate name:1:!s
PodSchedulingGroup podGroupName:1:*s
PodSecurityContext seLinuxOptions:1:SELinuxOptions windowsOptions:8:WindowsSecurityContextOptions runAsUser:2:*l runAsGroup:6:*l runAsNonRoot:3:*b supplementalGroups:4:[]l supplementalGroupsPolicy:12:*s fsGroup:5:*l sysctls:7:[]Sysctl fsGroupChangePolicy:9:*s seccompProfile:10:SeccompProfile appArmorProfile:11:AppArmorProfile seLinuxChangePolicy:13:*s
PodSpec volumes:1:[]Volume initContainers:20:[]Container containers:2:[]Container ephemeralContainers:34:[]EphemeralContainer restartPolicy:3:s terminationGracePeriodSeconds:4:*l activeDeadlineSeconds:5:*l dnsPolicy:6:s nodeSelector:7:{}s serviceAccountName:8:s serviceAccount:9:s automountServiceAccountToken:21:*b nodeName:10:s hostNetwork:11:b hostPID:12:b hostIPC:13:b shareProcessNamespace:27:*b securityContext:14:PodSecurityContext imagePullSecrets:15:[]LocalObjectReference hostname:16:s subdomain:17:s affinity:18:Affinity schedulerName:19:s tolerations:22:[]Toleration hostAliases:23:[]HostAlias priorityClassName:24:s priority:25:*i dnsConfig:26:PodDNSConfig readinessGates:28:[]PodReadinessGate runtimeClassName:29:*s enableServiceLinks:30:*b preemptionPolicy:31:*s overhead:32:{}Q topologySpreadConstraints:33:[]TopologySpreadConstraint setHostnameAsFQDN:35:*b os:36:PodOS hostUsers:37:*b schedulingGates:38:[]PodSchedulingGate resourceClaims:39:[]PodResourceClaim resources:40:ResourceRequirements hostnameOverride:41:*s schedulingGroup:43:PodSchedulingGroup
PodStatus observedGeneration:17:l phase:1:s conditions:2:[]PodCondition message:3:s reason:4:s nominatedNodeName:11:s hostIP:5:s hostIPs:16:[]HostIP podIP:6:s podIPs:12:[]PodIP startTime:7:T initContainerStatuses:10:[]ContainerStatus containerStatuses:8:[]ContainerStatus qosClass:9:s ephemeralContainerStatuses:13:[]ContainerStatus resize:14:s resourceClaimStatuses:15:[]PodResourceClaimStatus extendedResourceClaimStatus:18:PodExtendedResourceClaimStatus allocatedResources:19:{}Q resources:20:ResourceRequirements nodeAllocatableResourceClaimStatuses:21:[]NodeAllocatableResourceClaimStatus
PodTemplate metadata:1:meta.ObjectMeta template:2:PodTemplateSpec
PodTemplateSpec metadata:1:meta.ObjectMeta spec:2:PodSpec
PortStatus port:1:!i protocol:2:!s error:3:*s
PortworxVolumeSource volumeID:1:!s fsType:2:s readOnly:3:b
PreferredSchedulingTerm weight:1:!i preference:2:NodeSelectorTerm
Probe @:1:ProbeHandler initialDelaySeconds:2:i timeoutSeconds:3:i periodSeconds:4:i successThreshold:5:i failureThreshold:6:i terminationGracePeriodSeconds:7:*l
ProbeHandler exec:1:ExecAction httpGet:2:HTTPGetAction tcpSocket:3:TCPSocketAction grpc:4:GRPCAction
ProjectedVolumeSource sources:1:[]VolumeProjection defaultMode:2:*i
QuobyteVolumeSource registry:1:!s volume:2:!s readOnly:3:b user:4:s group:5:s tenant:6:s
RBDPersistentVolumeSource monitors:1:[]s image:2:!s fsType:3:s pool:4:s user:5:s keyring:6:s secretRef:7:SecretReference readOnly:8:b
RBDVolumeSource monitors:1:[]s image:2:!s fsType:3:s pool:4:s user:5:s keyring:6:s secretRef:7:LocalObjectReference readOnly:8:b
ReplicationController metadata:1:meta.ObjectMeta spec:2:ReplicationControllerSpec status:3:ReplicationControllerStatus
ReplicationControllerCondition type:1:!s status:2:!s lastTransitionTime:3:T reason:4:s message:5:s
ReplicationControllerSpec replicas:1:*i minReadySeconds:4:i selector:2:{}s template:3:PodTemplateSpec
ReplicationControllerStatus replicas:1:!i fullyLabeledReplicas:2:i readyReplicas:4:i availableReplicas:5:i observedGeneration:3:l conditions:6:[]ReplicationControllerCondition
ResourceClaim name:1:!s request:2:s
ResourceFieldSelector containerName:1:s resource:2:!s divisor:3:Q
ResourceHealth resourceID:1:!s health:2:s message:6:*s
ResourceRequirements limits:1:{}Q requests:2:{}Q claims:3:[]ResourceClaim
ResourceStatus name:1:!s resources:2:[]ResourceHealth
SELinuxOptions user:1:s role:2:s type:3:s level:4:s
ScaleIOPersistentVolumeSource gateway:1:!s system:2:!s secretRef:3:SecretReference sslEnabled:4:b protectionDomain:5:s storagePool:6:s storageMode:7:s volumeName:8:s fsType:9:s readOnly:10:b
ScaleIOVolumeSource gateway:1:!s system:2:!s secretRef:3:LocalObjectReference sslEnabled:4:b protectionDomain:5:s storagePool:6:s storageMode:7:s volumeName:8:s fsType:9:s readOnly:10:b
SeccompProfile type:1:!s localhostProfile:2:*s
SecretEnvSource @:1:LocalObjectReference optional:2:*b
SecretKeySelector @:1:LocalObjectReference key:2:!s optional:3:*b
SecretProjection @:1:LocalObjectReference items:2:[]KeyToPath optional:4:*b
SecretReference name:1:s namespace:2:s
SecretVolumeSource secretName:1:s items:2:[]KeyToPath defaultMode:3:*i optional:4:*b
SecurityContext capabilities:1:Capabilities privileged:2:*b seLinuxOptions:3:SELinuxOptions windowsOptions:10:WindowsSecurityContextOptions runAsUser:4:*l runAsGroup:8:*l runAsNonRoot:5:*b readOnlyRootFilesystem:6:*b allowPrivilegeEscalation:7:*b procMount:9:*s seccompProfile:11:SeccompProfile appArmorProfile:12:AppArmorProfile
Service metadata:1:meta.ObjectMeta spec:2:ServiceSpec status:3:ServiceStatus
ServiceAccountTokenProjection audience:1:s expirationSeconds:2:*l path:3:!s
ServicePort name:1:s protocol:2:s appProtocol:6:*s port:3:!i targetPort:4:N nodePort:5:i
ServiceSpec ports:1:[]ServicePort selector:2:{}s clusterIP:3:s clusterIPs:18:[]s type:4:s externalIPs:5:[]s sessionAffinity:7:s loadBalancerIP:8:s loadBalancerSourceRanges:9:[]s externalName:10:s externalTrafficPolicy:11:s healthCheckNodePort:12:i publishNotReadyAddresses:13:b sessionAffinityConfig:14:SessionAffinityConfig ipFamilies:19:[]s ipFamilyPolicy:17:*s allocateLoadBalancerNodePorts:20:*b loadBalancerClass:21:*s internalTrafficPolicy:22:*s trafficDistribution:23:*s
ServiceStatus loadBalancer:1:LoadBalancerStatus conditions:2:[]meta.Condition
SessionAffinityConfig clientIP:1:ClientIPConfig
SleepAction seconds:1:!l
StorageOSPersistentVolumeSource volumeName:1:s volumeNamespace:2:s fsType:3:s readOnly:4:b secretRef:5:ObjectReference
StorageOSVolumeSource volumeName:1:s volumeNamespace:2:s fsType:3:s readOnly:4:b secretRef:5:LocalObjectReference
Sysctl name:1:!s value:2:!s
TCPSocketAction port:1:N host:2:s
Toleration key:1:s operator:2:s value:3:s effect:4:s tolerationSeconds:5:*l
TopologySelectorLabelRequirement key:1:!s values:2:[]s
TopologySelectorTerm matchLabelExpressions:1:[]TopologySelectorLabelRequirement
TopologySpreadConstraint maxSkew:1:!i topologyKey:2:!s whenUnsatisfiable:3:!s labelSelector:4:meta.LabelSelector minDomains:5:*i nodeAffinityPolicy:6:*s nodeTaintsPolicy:7:*s matchLabelKeys:8:[]s
TypedLocalObjectReference apiGroup:1:*s kind:2:!s name:3:!s
TypedObjectReference apiGroup:1:*s kind:2:!s name:3:!s namespace:4:*s
Volume name:1:!s @:2:VolumeSource
VolumeDevice name:1:!s devicePath:2:!s
VolumeMount name:1:!s readOnly:2:b recursiveReadOnly:7:*s mountPath:3:!s subPath:4:s mountPropagation:5:*s subPathExpr:6:s
VolumeMountStatus name:1:!s mountPath:2:!s readOnly:3:b recursiveReadOnly:4:*s volumeStatus:5:VolumeStatus
VolumeNodeAffinity required:1:NodeSelector
VolumeProjection secret:1:SecretProjection downwardAPI:2:DownwardAPIProjection configMap:3:ConfigMapProjection serviceAccountToken:4:ServiceAccountTokenProjection clusterTrustBundle:5:ClusterTrustBundleProjection podCertificate:6:PodCertificateProjection
VolumeResourceRequirements limits:1:{}Q requests:2:{}Q
VolumeSource hostPath:1:HostPathVolumeSource emptyDir:2:EmptyDirVolumeSource gcePersistentDisk:3:GCEPersistentDiskVolumeSource awsElasticBlockStore:4:AWSElasticBlockStoreVolumeSource gitRepo:5:GitRepoVolumeSource secret:6:SecretVolumeSource nfs:7:NFSVolumeSource iscsi:8:ISCSIVolumeSource glusterfs:9:GlusterfsVolumeSource persistentVolumeClaim:10:PersistentVolumeClaimVolumeSource rbd:11:RBDVolumeSource flexVolume:12:FlexVolumeSource cinder:13:CinderVolumeSource cephfs:14:CephFSVolumeSource flocker:15:FlockerVolumeSource downwardAPI:16:DownwardAPIVolumeSource fc:17:FCVolumeSource azureFile:18:AzureFileVolumeSource configMap:19:ConfigMapVolumeSource vsphereVolume:20:VsphereVirtualDiskVolumeSource quobyte:21:QuobyteVolumeSource azureDisk:22:AzureDiskVolumeSource photonPersistentDisk:23:PhotonPersistentDiskVolumeSource projected:26:ProjectedVolumeSource portworxVolume:24:PortworxVolumeSource scaleIO:25:ScaleIOVolumeSource storageos:27:StorageOSVolumeSource csi:28:CSIVolumeSource ephemeral:29:EphemeralVolumeSource image:30:ImageVolumeSource
VolumeStatus image:1:ImageVolumeStatus
VsphereVirtualDiskVolumeSource volumePath:1:!s fsType:2:s storagePolicyName:3:s storagePolicyID:4:s
WeightedPodAffinityTerm weight:1:!i podAffinityTerm:2:PodAffinityTerm
WindowsSecurityContextOptions gmsaCredentialSpecName:1:*s gmsaCredentialSpec:2:*s runAsUserName:3:*s hostProcess:4:*b
`;
