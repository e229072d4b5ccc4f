// What an operator does with controller-runtime, started by envtest. Prints one line for each step.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

const (
	namespace = "default"
	patience  = 60 * time.Second
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func until(what string, condition func() bool) {
	for end := time.Now().Add(patience); !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			panic("waited in vain: " + what)
		}
	}
}

type warnings struct{ seen []string }

func (w *warnings) HandleWarningHeaderWithContext(_ context.Context, _ int, _ string, text string) {
	w.seen = append(w.seen, text)
}

// A manager runs the operator until its context ends.
func manager(config *rest.Config, scheme *runtime.Scheme, hooks *envtest.WebhookInstallOptions) ctrl.Manager {
	options := ctrl.Options{
		Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}, HealthProbeBindAddress: "0",
		LeaderElection: true, LeaderElectionID: "guests.example.com", LeaderElectionNamespace: namespace,
		LeaderElectionReleaseOnCancel: true,
	}
	skip := true
	options.Controller.SkipNameValidation = &skip
	if hooks != nil {
		options.WebhookServer = webhook.NewServer(webhook.Options{
			Host: hooks.LocalServingHost, Port: hooks.LocalServingPort, CertDir: hooks.LocalServingCertDir,
		})
	}
	made := must(ctrl.NewManager(config, options))
	r := &reconciler{Client: made.GetClient(), events: made.GetEventRecorder("guests")}
	check(ctrl.NewControllerManagedBy(made).For(&Guest{}).Owns(&corev1.ConfigMap{}).Owns(&corev1.Secret{}).Complete(r))
	if hooks != nil {
		rules := guestRules{}
		check(ctrl.NewWebhookManagedBy(made, &Guest{}).WithDefaulter(rules).WithValidator(rules).Complete())
	}
	return made
}

func run(m ctrl.Manager) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- m.Start(ctx) }()
	return func() {
		cancel()
		check(<-ended)
	}
}

func guests(ctx context.Context, c client.Client, seen *warnings) *Guest {
	guest := &Guest{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "ada"}, Spec: GuestSpec{Size: 1}}
	until("webhooks answer", func() bool { return c.Create(ctx, guest) == nil })
	fmt.Println("created", guest.Spec.Greeting, strings.Join(seen.seen, ","))
	bad := &Guest{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "bad"}, Spec: GuestSpec{Size: -1}}
	err := c.Create(ctx, bad)
	fmt.Println("refused", apierrors.IsForbidden(err), strings.Contains(fmt.Sprint(err), "a size is not negative"))
	key := client.ObjectKeyFromObject(guest)
	until("the guest is ready", func() bool {
		check(c.Get(ctx, key, guest))
		return guest.Status.Ready
	})
	fmt.Println("ready", meta.IsStatusConditionTrue(guest.Status.Conditions, "Ready"), controllerutil.ContainsFinalizer(guest, finalizer))
	greeting, seal := &corev1.ConfigMap{}, &corev1.Secret{}
	check(c.Get(ctx, key, greeting))
	check(c.Get(ctx, key, seal))
	owned := metav1.IsControlledBy(greeting, guest) && metav1.IsControlledBy(seal, guest)
	fmt.Println("owned", owned, string(seal.Data["seal"]), seal.ManagedFields[0].Manager, seal.ManagedFields[0].Operation)
	guest.Spec.Greeting = "good evening"
	check(c.Update(ctx, guest))
	until("what it owns follows", func() bool {
		check(c.Get(ctx, key, greeting))
		check(c.Get(ctx, key, seal))
		return greeting.Data["greeting"] == "good evening" && string(seal.Data["seal"]) == "good evening"
	})
	check(c.Delete(ctx, greeting))
	uid := greeting.UID
	until("the map is made again", func() bool { return c.Get(ctx, key, greeting) == nil && greeting.UID != uid })
	until("the event is written", func() bool {
		list := &corev1.EventList{}
		check(c.List(ctx, list, client.InNamespace(namespace), client.MatchingFields{"reason": "Greeted"}))
		return len(list.Items) > 0 && list.Items[0].InvolvedObject.UID == guest.UID
	})
	fmt.Println("followed")
	return guest
}

// What the cache of a manager knows, of typed objects and of their metadata alone.
func cached(ctx context.Context, m ctrl.Manager) {
	until("the cache has the guest", func() bool {
		list := &GuestList{}
		check(m.GetClient().List(ctx, list, client.InNamespace(namespace)))
		return len(list.Items) == 1
	})
	partial := &metav1.PartialObjectMetadataList{}
	partial.SetGroupVersionKind(version.WithKind("GuestList"))
	check(m.GetClient().List(ctx, partial))
	fmt.Println("cached", len(partial.Items), partial.Items[0].Name)
}

func handOver(m, other ctrl.Manager, stop func()) {
	select {
	case <-other.Elected():
		panic("two managers are elected")
	default:
	}
	stop()
	<-other.Elected()
	fmt.Println("elected the other")
}

func farewell(ctx context.Context, c client.Client, guest *Guest) {
	check(c.Delete(ctx, guest))
	key := client.ObjectKeyFromObject(guest)
	until("the guest has left", func() bool { return apierrors.IsNotFound(c.Get(ctx, key, &Guest{})) })
	until("its map is collected", func() bool { return apierrors.IsNotFound(c.Get(ctx, key, &corev1.ConfigMap{})) })
	fmt.Println("left", apierrors.IsNotFound(c.Get(ctx, key, &corev1.Secret{})))
}

func main() {
	ctx := context.Background()
	ctrl.SetLogger(logr.Discard())
	if os.Getenv("VERBOSE") != "" {
		ctrl.SetLogger(zap.New(zap.UseDevMode(true)))
	}
	scheme := runtime.NewScheme()
	check(clientscheme.AddToScheme(scheme))
	check(apiextensionsv1.AddToScheme(scheme))
	register(scheme)
	env := &envtest.Environment{Scheme: scheme, CRDInstallOptions: envtest.CRDInstallOptions{CleanUpAfterUse: true}}
	env.CRDs = []*apiextensionsv1.CustomResourceDefinition{definition()}
	env.WebhookInstallOptions.MutatingWebhooks = append(env.WebhookInstallOptions.MutatingWebhooks, mutatingWebhook())
	env.WebhookInstallOptions.ValidatingWebhooks = append(env.WebhookInstallOptions.ValidatingWebhooks, validatingWebhook())
	config := must(env.Start())
	fmt.Println("started", config.Host != "")
	seen := &warnings{}
	config.WarningHandlerWithContext = seen
	c := must(client.New(config, client.Options{Scheme: scheme}))
	first := manager(config, scheme, &env.WebhookInstallOptions)
	stop := run(first)
	<-first.Elected()
	second := manager(config, scheme, nil)
	stopSecond := run(second)
	guest := guests(ctx, c, seen)
	cached(ctx, first)
	// The webhooks end with the first manager.
	check(c.Delete(ctx, mutatingWebhook()))
	check(c.Delete(ctx, validatingWebhook()))
	handOver(first, second, stop)
	farewell(ctx, c, guest)
	stopSecond()
	check(env.Stop())
	fmt.Println("stopped")
}
