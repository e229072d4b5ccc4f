/*
 * Numbers of the messages of workloads, as Kubernetes' API has them (k8s.io/api
 * 0.36). One message to a line: its fields as name:number:type, which
 * `workload-kinds.ts` reads.
 */
export const CORE_MESSAGES_A_TO_M = `
# core/v1
AWSElasticBlockStoreVolumeSource volumeID:1:!s fsType:2:s partition:3:i readOnly:4:b
Affinity nodeAffinity:1:NodeAffinity podAffinity:2:PodAffinity podAntiAffinity:3:PodAntiAffinity
AppArmorProfile type:1:!s localhostProfile:2:*s
AzureDiskVolumeSource diskName:1:!s diskURI:2:!s cachingMode:3:*s fsType:4:*s readOnly:5:*b kind:6:*s
AzureFilePersistentVolumeSource secretName:1:!s shareName:2:!s readOnly:3:b secretNamespace:4:*s
AzureFileVolumeSource secretName:1:!s shareName:2:!s readOnly:3:b
CSIPersistentVolumeSource driver:1:!s volumeHandle:2:!s readOnly:3:b fsType:4:s volumeAttributes:5:{}s controllerPublishSecretRef:6:SecretReference nodeStageSecretRef:7:SecretReference nodePublishSecretRef:8:SecretReference controllerExpandSecretRef:9:SecretReference nodeExpandSecretRef:10:SecretReference
CSIVolumeSource driver:1:!s readOnly:2:*b fsType:3:*s volumeAttributes:4:{}s nodePublishSecretRef:5:LocalObjectReference
Capabilities add:1:[]s drop:2:[]s
CephFSPersistentVolumeSource monitors:1:[]s path:2:s user:3:s secretFile:4:s secretRef:5:SecretReference readOnly:6:b
CephFSVolumeSource monitors:1:[]s path:2:s user:3:s secretFile:4:s secretRef:5:LocalObjectReference readOnly:6:b
CinderPersistentVolumeSource volumeID:1:!s fsType:2:s readOnly:3:b secretRef:4:SecretReference
CinderVolumeSource volumeID:1:!s fsType:2:s readOnly:3:b secretRef:4:LocalObjectReference
ClientIPConfig timeoutSeconds:1:*i
ClusterTrustBundleProjection name:1:*s signerName:2:*s labelSelector:3:meta.LabelSelector optional:5:*b path:4:!s
ConfigMapEnvSource @:1:LocalObjectReference optional:2:*b
ConfigMapKeySelector @:1:LocalObjectReference key:2:!s optional:3:*b
ConfigMapProjection @:1:LocalObjectReference items:2:[]KeyToPath optional:4:*b
ConfigMapVolumeSource @:1:LocalObjectReference items:2:[]KeyToPath defaultMode:3:*i optional:4:*b
Container name:1:!s image:2:s command:3:[]s args:4:[]s workingDir:5:s ports:6:[]ContainerPort envFrom:19:[]EnvFromSource env:7:[]EnvVar resources:8:ResourceRequirements resizePolicy:23:[]ContainerResizePolicy restartPolicy:24:*s restartPolicyRules:25:[]ContainerRestartRule volumeMounts:9:[]VolumeMount volumeDevices:21:[]VolumeDevice livenessProbe:10:Probe readinessProbe:11:Probe startupProbe:22:Probe lifecycle:12:Lifecycle terminationMessagePath:13:s terminationMessagePolicy:20:s imagePullPolicy:14:s securityContext:15:SecurityContext stdin:16:b stdinOnce:17:b tty:18:b
ContainerExtendedResourceRequest containerName:1:!s resourceName:2:!s requestName:3:!s
ContainerPort name:1:s hostPort:2:i containerPort:3:!i protocol:4:s hostIP:5:s
ContainerResizePolicy resourceName:1:!s restartPolicy:2:!s
ContainerRestartRule action:1:s exitCodes:2:ContainerRestartRuleOnExitCodes
ContainerRestartRuleOnExitCodes operator:1:s values:2:[]i
ContainerState waiting:1:ContainerStateWaiting running:2:ContainerStateRunning terminated:3:ContainerStateTerminated
ContainerStateRunning startedAt:1:T
ContainerStateTerminated exitCode:1:!i signal:2:i reason:3:s message:4:s startedAt:5:T finishedAt:6:T containerID:7:s
ContainerStateWaiting reason:1:s message:2:s
ContainerStatus name:1:!s state:2:ContainerState lastState:3:ContainerState ready:4:!b restartCount:5:!i image:6:!s imageID:7:!s containerID:8:s started:9:*b allocatedResources:10:{}Q resources:11:ResourceRequirements volumeMounts:12:[]VolumeMountStatus user:13:ContainerUser allocatedResourcesStatus:14:[]ResourceStatus stopSignal:15:*s
ContainerUser linux:1:LinuxContainerUser
DownwardAPIProjection items:1:[]DownwardAPIVolumeFile
DownwardAPIVolumeFile path:1:!s fieldRef:2:ObjectFieldSelector resourceFieldRef:3:ResourceFieldSelector mode:4:*i
DownwardAPIVolumeSource items:1:[]DownwardAPIVolumeFile defaultMode:2:*i
EmptyDirVolumeSource medium:1:s sizeLimit:2:Q
EndpointAddress ip:1:!s hostname:3:s nodeName:4:*s targetRef:2:ObjectReference
EndpointPort name:1:s port:2:!i protocol:3:s appProtocol:4:*s
EndpointSubset addresses:1:[]EndpointAddress notReadyAddresses:2:[]EndpointAddress ports:3:[]EndpointPort
Endpoints metadata:1:meta.ObjectMeta subsets:2:[]EndpointSubset
EnvFromSource prefix:1:s configMapRef:2:ConfigMapEnvSource secretRef:3:SecretEnvSource
EnvVar name:1:!s value:2:s valueFrom:3:EnvVarSource
EnvVarSource fieldRef:1:ObjectFieldSelector resourceFieldRef:2:ResourceFieldSelector configMapKeyRef:3:ConfigMapKeySelector secretKeyRef:4:SecretKeySelector fileKeyRef:5:FileKeySelector
EphemeralContainer @:1:EphemeralContainerCommon targetContainerName:2:s
EphemeralContainerCommon name:1:!s image:2:s command:3:[]s args:4:[]s workingDir:5:s ports:6:[]ContainerPort envFrom:19:[]EnvFromSource env:7:[]EnvVar resources:8:ResourceRequirements resizePolicy:23:[]ContainerResizePolicy restartPolicy:24:*s restartPolicyRules:25:[]ContainerRestartRule volumeMounts:9:[]VolumeMount volumeDevices:21:[]VolumeDevice livenessProbe:10:Probe readinessProbe:11:Probe startupProbe:22:Probe lifecycle:12:Lifecycle terminationMessagePath:13:s terminationMessagePolicy:20:s imagePullPolicy:14:s securityContext:15:SecurityContext stdin:16:b stdinOnce:17:b tty:18:b
EphemeralVolumeSource volumeClaimTemplate:1:PersistentVolumeClaimTemplate
ExecAction command:1:[]s
FCVolumeSource targetWWNs:1:[]s lun:2:*i fsType:3:s readOnly:4:b wwids:5:[]s
FileKeySelector volumeName:1:!s path:2:!s key:3:!s optional:4:*b
FlexPersistentVolumeSource driver:1:!s fsType:2:s secretRef:3:SecretReference readOnly:4:b options:5:{}s
FlexVolumeSource driver:1:!s fsType:2:s secretRef:3:LocalObjectReference readOnly:4:b options:5:{}s
FlockerVolumeSource datasetName:1:s datasetUUID:2:s
GCEPersistentDiskVolumeSource pdName:1:!s fsType:2:s partition:3:i readOnly:4:b
GRPCAction port:1:!i service:2:*s
GitRepoVolumeSource repository:1:!s revision:2:s directory:3:s
GlusterfsPersistentVolumeSource endpoints:1:!s path:2:!s readOnly:3:b endpointsNamespace:4:*s
GlusterfsVolumeSource endpoints:1:!s path:2:!s readOnly:3:b
HTTPGetAction path:1:s port:2:N host:3:s scheme:4:s httpHeaders:5:[]HTTPHeader
HTTPHeader name:1:!s value:2:!s
HostAlias ip:1:!s hostnames:2:[]s
HostIP ip:1:!s
HostPathVolumeSource path:1:!s type:2:*s
ISCSIPersistentVolumeSource targetPortal:1:!s iqn:2:!s lun:3:!i iscsiInterface:4:s fsType:5:s readOnly:6:b portals:7:[]s chapAuthDiscovery:8:b chapAuthSession:11:b secretRef:10:SecretReference initiatorName:12:*s
ISCSIVolumeSource targetPortal:1:!s iqn:2:!s lun:3:!i iscsiInterface:4:s fsType:5:s readOnly:6:b portals:7:[]s chapAuthDiscovery:8:b chapAuthSession:11:b secretRef:10:LocalObjectReference initiatorName:12:*s
ImageVolumeSource reference:1:s pullPolicy:2:s
ImageVolumeStatus imageRef:1:s
KeyToPath key:1:!s path:2:!s mode:3:*i
Lifecycle postStart:1:LifecycleHandler preStop:2:LifecycleHandler stopSignal:3:*s
LifecycleHandler exec:1:ExecAction httpGet:2:HTTPGetAction tcpSocket:3:TCPSocketAction sleep:4:SleepAction
LimitRange metadata:1:meta.ObjectMeta spec:2:LimitRangeSpec
LimitRangeItem type:1:!s max:2:{}Q min:3:{}Q default:4:{}Q defaultRequest:5:{}Q maxLimitRequestRatio:6:{}Q
LimitRangeSpec limits:1:[]LimitRangeItem
LinuxContainerUser uid:1:!l gid:2:!l supplementalGroups:3:[]l
LoadBalancerIngress ip:1:s hostname:2:s ipMode:3:*s ports:4:[]PortStatus
LoadBalancerStatus ingress:1:[]LoadBalancerIngress
LocalObjectReference name:1:s
LocalVolumeSource path:1:!s fsType:2:*s
ModifyVolumeStatus targetVolumeAttributesClassName:1:s status:2:!s
`;
