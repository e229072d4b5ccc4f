"""What a program in Python does with the official client. Prints one line for each step."""

import json
import sys
import threading

import yaml
from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException
from kubernetes.dynamic.exceptions import ConflictError
from kubernetes.leaderelection import electionconfig, leaderelection
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock

kubeconfig, manifests = sys.argv[1:]
api_client = config.new_client_from_config(kubeconfig)
config.load_kube_config(kubeconfig)
core = client.CoreV1Api(api_client)
apps = client.AppsV1Api(api_client)
custom = client.CustomObjectsApi(api_client)


def typed():
    labels = {"made": "python"}
    core.create_namespaced_config_map(
        "default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed", labels=labels), data={"a": "1"})
    )
    core.patch_namespaced_config_map("typed", "default", {"data": {"b": "2"}})
    found = core.list_namespaced_config_map("default", label_selector="made=python").items
    print("typed", [(item.metadata.name, item.data) for item in found])
    try:
        core.create_namespaced_config_map("default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="typed")))
    except ApiException as error:
        print("conflict", error.status)


def chart():
    with open(manifests, encoding="utf-8") as file:
        for manifest in yaml.safe_load_all(file):
            # the client of Debian knows no autoscaling/v2
            if manifest["apiVersion"] != "autoscaling/v2":
                utils.create_from_dict(api_client, manifest, namespace="default")
    web = apps.read_namespaced_deployment("shop", "default")
    web.spec.replicas = 3
    apps.replace_namespaced_deployment("shop", "default", web)
    ingress = client.NetworkingV1Api(api_client).read_namespaced_ingress("shop", "default")
    scale = apps.read_namespaced_deployment_scale("shop", "default")
    print("chart", scale.spec.replicas, web.spec.template.spec.containers[0].name, ingress.spec.rules[0].host)


def informer():
    """A list, and then a watch from its revision: what informers are made of."""
    listed = core.list_namespaced_config_map("default")
    seen = []
    body = {"metadata": {"name": "watched"}}
    core.create_namespaced_config_map("default", body)
    core.patch_namespaced_config_map("watched", "default", {"data": {"a": "1"}})
    core.delete_namespaced_config_map("watched", "default")
    stream = watch.Watch()
    events = stream.stream(
        core.list_namespaced_config_map, "default", resource_version=listed.metadata.resource_version
    )
    for event in events:
        if event["object"].metadata.name != "watched":
            continue
        seen.append(event["type"])
        if event["type"] == "DELETED":
            stream.stop()
    print("informer", seen)


def server_side_apply():
    resource = dynamic.DynamicClient(api_client).resources.get(api_version="v1", kind="ConfigMap")

    def apply(value, manager, force=None):
        body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"a": value}}
        return resource.server_side_apply(
            # the client sends objects as JSON only, and this is YAML
            body=json.dumps(body), name="applied", namespace="default", field_manager=manager, force_conflicts=force
        )

    apply("1", "first")
    try:
        apply("2", "second")
    except ConflictError as error:
        print("apply conflict", error.status)
    print("apply", apply("3", "second", True).data.a)


def leader_election():
    leads = threading.Event()

    def candidate(name):
        lock = ConfigMapLock("leader", "default", name)
        settings = electionconfig.Config(
            lock, lease_duration=60, renew_deadline=50, retry_period=1, onstarted_leading=leads.set,
            onstopped_leading=lambda: None,
        )
        threading.Thread(target=leaderelection.LeaderElection(settings).run, daemon=True).start()

    candidate("one")
    leads.wait()
    leads.clear()
    candidate("two")
    record = core.read_namespaced_config_map("leader", "default").metadata.annotations
    print("leader", '"one"' in str(record), leads.is_set())


for step in (typed, chart, informer, server_side_apply, leader_election):
    step()
