// What a program in Go does with client-go. Prints one line for each step.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/retry"
)

const (
	namespace = "default"
	patience  = 60 * time.Second
	protobuf  = "application/vnd.kubernetes.protobuf"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func until(what string, condition func() bool) {
	for end := time.Now().Add(patience); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			panic("waited in vain: " + what)
		}
	}
}

func made(name string) *corev1.ConfigMap {
	labels := map[string]string{"made": "go"}
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}, Data: map[string]string{"a": "1"}}
}

func typed(ctx context.Context, form string, client *kubernetes.Clientset) {
	maps := client.CoreV1().ConfigMaps(namespace)
	name := "typed-" + form
	created := must(maps.Create(ctx, made(name), metav1.CreateOptions{}))
	must(maps.Create(ctx, made(name+"-2"), metav1.CreateOptions{}))
	_, err := maps.Create(ctx, made(name), metav1.CreateOptions{})
	fmt.Println(form, "conflict", apierrors.IsAlreadyExists(err))
	_, err = maps.Get(ctx, "missing", metav1.GetOptions{})
	fmt.Println(form, "missing", apierrors.IsNotFound(err), strings.Contains(err.Error(), "missing"))
	err = retry.RetryOnConflict(retry.DefaultRetry, func() error {
		read := must(maps.Get(ctx, name, metav1.GetOptions{}))
		read.Data["b"] = "2"
		_, err := maps.Update(ctx, read, metav1.UpdateOptions{})
		return err
	})
	_, stale := maps.Update(ctx, created, metav1.UpdateOptions{})
	fmt.Println(form, "update", err, apierrors.IsConflict(stale))
	patched := must(maps.Patch(ctx, name, types.StrategicMergePatchType, []byte(`{"data":{"c":"3"}}`), metav1.PatchOptions{}))
	fmt.Println(form, "patch", patched.Data, len(patched.ManagedFields) > 0, patched.UID == created.UID)
	page := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "made=go", Limit: 1}))
	rest := must(maps.List(ctx, metav1.ListOptions{LabelSelector: "made=go", Limit: 1, Continue: page.Continue}))
	fmt.Println(form, "pages", page.Items[0].Name, rest.Items[0].Name)

	roles := client.RbacV1().ClusterRoles()
	rule := rbacv1.PolicyRule{Verbs: []string{"get"}, APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}}
	role := must(roles.Create(ctx, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: name}, Rules: []rbacv1.PolicyRule{rule}}, metav1.CreateOptions{}))
	binding := must(client.RbacV1().ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "User", Name: "go"}},
	}, metav1.CreateOptions{}))
	fmt.Println(form, "roles", role.Rules[0].APIGroups, binding.RoleRef.APIGroup, binding.Subjects[0].APIGroup)
	secret := must(client.CoreV1().Secrets(namespace).Create(ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Name: name}, StringData: map[string]string{"word": "hidden"},
	}, metav1.CreateOptions{}))
	fmt.Println(form, "secret", string(secret.Data["word"]), secret.Type)
	now := metav1.NewMicroTime(time.Unix(1700000000, 123456000))
	lease := must(client.CoordinationV1().Leases(namespace).Create(ctx, &coordinationv1.Lease{
		ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: coordinationv1.LeaseSpec{RenewTime: &now},
	}, metav1.CreateOptions{}))
	fmt.Println(form, "lease", lease.Spec.RenewTime.Equal(&now), lease.APIVersion+lease.Kind == "" || lease.Kind == "Lease")
	pods := must(client.CoreV1().Pods("").List(ctx, metav1.ListOptions{}))
	fmt.Println(form, "pods", len(pods.Items))
	if err := maps.Delete(ctx, name+"-2", metav1.DeleteOptions{}); err != nil {
		panic(err)
	}
}

func informer(ctx context.Context, form string, client *kubernetes.Clientset) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	configMaps := factory.Core().V1().ConfigMaps()
	var added, updated, deleted atomic.Int32
	name := "watched-" + form
	is := func(object any) bool {
		if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		return object.(*corev1.ConfigMap).Name == name
	}
	count := func(counter *atomic.Int32, object any) {
		if is(object) {
			counter.Add(1)
		}
	}
	must(configMaps.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { count(&added, object) },
		UpdateFunc: func(_, object any) { count(&updated, object) },
		DeleteFunc: func(object any) { count(&deleted, object) },
	}))
	pods := factory.Core().V1().Pods().Informer()
	factory.Start(ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(ctx.Done()) {
		if !synced {
			panic(kind.String())
		}
	}
	maps := client.CoreV1().ConfigMaps(namespace)
	must(maps.Create(ctx, made(name), metav1.CreateOptions{}))
	until("added", func() bool { return added.Load() == 1 })
	must(maps.Patch(ctx, name, types.MergePatchType, []byte(`{"data":{"a":"2"}}`), metav1.PatchOptions{}))
	until("updated", func() bool { return updated.Load() == 1 })
	cached := must(configMaps.Lister().ConfigMaps(namespace).Get(name))
	fmt.Println(form, "cached", cached.Data["a"], len(must(configMaps.Lister().List(labels.Everything()))) > 0, pods.HasSynced())
	if err := maps.Delete(ctx, name, metav1.DeleteOptions{}); err != nil {
		panic(err)
	}
	until("deleted", func() bool { return deleted.Load() == 1 })
	fmt.Println(form, "informer", added.Load(), updated.Load(), deleted.Load())
}

func apply(ctx context.Context, form string, client *kubernetes.Clientset) {
	maps := client.CoreV1().ConfigMaps(namespace)
	set := func(value, manager string, force bool) (*corev1.ConfigMap, error) {
		wanted := coreapply.ConfigMap("applied-"+form, namespace).WithData(map[string]string{"a": value})
		return maps.Apply(ctx, wanted, metav1.ApplyOptions{FieldManager: manager, Force: force})
	}
	first := must(set("1", "first", false))
	_, err := set("2", "second", false)
	taken := must(set("3", "second", true))
	extracted := must(coreapply.ExtractConfigMap(taken, "second"))
	fmt.Println(form, "apply", first.Data, apierrors.IsConflict(err), extracted.Data)
}

func leader(ctx context.Context, form string, client *kubernetes.Clientset) {
	elect := func(name string, ctx context.Context, leads func()) {
		lock := must(resourcelock.New(resourcelock.LeasesResourceLock, namespace, "leader-"+form,
			client.CoreV1(), client.CoordinationV1(), resourcelock.ResourceLockConfig{Identity: name}))
		elector := must(leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
			Lock: lock, ReleaseOnCancel: true, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 200 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { leads() }, OnStoppedLeading: func() {}},
		}))
		elector.Run(ctx)
	}
	var one, two atomic.Bool
	first, stop := context.WithCancel(ctx)
	go elect("one", first, func() { one.Store(true) })
	until("one leads", one.Load)
	second, stopSecond := context.WithCancel(ctx)
	defer stopSecond()
	go elect("two", second, func() { two.Store(true) })
	before := two.Load()
	stop()
	until("two leads", two.Load)
	fmt.Println(form, "leader", before, two.Load())
}

// A client without types, over a definition of its own.
func custom(ctx context.Context, config *rest.Config) {
	client := must(dynamic.NewForConfig(config))
	definitions := client.Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
	object := func(kind, apiVersion, name string, spec map[string]any) *unstructured.Unstructured {
		metadata := map[string]any{"name": name}
		return &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": metadata, "spec": spec}}
	}
	schemaOf := map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
	version := map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": schemaOf}}
	must(definitions.Create(ctx, object("CustomResourceDefinition", "apiextensions.k8s.io/v1", "gophers.example.com", map[string]any{
		"group": "example.com", "scope": "Namespaced", "versions": []any{version},
		"names": map[string]any{"plural": "gophers", "kind": "Gopher"},
	}), metav1.CreateOptions{}))
	gophers := client.Resource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "gophers"}).Namespace(namespace)
	until("served", func() bool {
		_, err := gophers.Create(ctx, object("Gopher", "example.com/v1", "one", map[string]any{"digs": true}), metav1.CreateOptions{})
		return err == nil
	})
	metadataClient := must(metadata.NewForConfig(config))
	partial := must(metadataClient.Resource(schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "gophers"}).Namespace(namespace).List(ctx, metav1.ListOptions{}))
	found := must(gophers.List(ctx, metav1.ListOptions{}))
	fmt.Println("custom", found.Items[0].GetName(), partial.Items[0].Name, partial.Items[0].Kind)
}

func main() {
	ctx := context.Background()
	config := must(clientcmd.BuildConfigFromFlags("", os.Args[1]))
	config.QPS = -1
	forms := []struct{ name, content, accept string }{
		{"json", "application/json", "application/json"},
		{"both", protobuf, protobuf + ",application/json"},
		{"protobuf", protobuf, protobuf},
	}
	for _, form := range forms {
		if len(os.Args) > 2 && !strings.Contains(os.Args[2], form.name) {
			continue
		}
		own := rest.CopyConfig(config)
		own.ContentType, own.AcceptContentTypes = form.content, form.accept
		client := must(kubernetes.NewForConfig(own))
		typed(ctx, form.name, client)
		informer(ctx, form.name, client)
		apply(ctx, form.name, client)
		leader(ctx, form.name, client)
	}
	custom(ctx, config)
}
