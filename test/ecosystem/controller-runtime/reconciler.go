package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

const finalizer = "example.com/farewell"

// A reconciler keeps a ConfigMap and a Secret for each guest.
type reconciler struct {
	client.Client
	events events.EventRecorder
}

// Reconcile brings what belongs to one guest into the state that its spec asks for.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	guest := &Guest{}
	if err := r.Get(ctx, request.NamespacedName, guest); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !guest.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.farewell(ctx, guest)
	}
	if controllerutil.AddFinalizer(guest, finalizer) {
		return ctrl.Result{}, r.Update(ctx, guest)
	}
	if err := r.greet(ctx, guest); err != nil {
		return ctrl.Result{}, err
	}
	if err := r.seal(ctx, guest); err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.report(ctx, guest)
}

// A ConfigMap made by get, create and update, owned by its guest.
func (r *reconciler) greet(ctx context.Context, guest *Guest) error {
	greeting := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: guest.Namespace, Name: guest.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, greeting, func() error {
		greeting.Data = map[string]string{"greeting": guest.Spec.Greeting}
		return controllerutil.SetControllerReference(guest, greeting, r.Scheme())
	})
	return err
}

// A Secret made by server-side apply.
func (r *reconciler) seal(ctx context.Context, guest *Guest) error {
	owner := metaapply.OwnerReference().WithAPIVersion(version.String()).WithKind("Guest").
		WithName(guest.Name).WithUID(guest.UID).WithController(true)
	secret := coreapply.Secret(guest.Name, guest.Namespace).WithOwnerReferences(owner).
		WithStringData(map[string]string{"seal": guest.Spec.Greeting})
	return r.Apply(ctx, secret, client.FieldOwner("guests"), client.ForceOwnership)
}

func (r *reconciler) report(ctx context.Context, guest *Guest) error {
	before := guest.DeepCopyObject().(*Guest)
	guest.Status.Ready = true
	guest.Status.ObservedGeneration = guest.Generation
	changed := meta.SetStatusCondition(&guest.Status.Conditions, metav1.Condition{
		Type: "Ready", Status: metav1.ConditionTrue, Reason: "Greeted", ObservedGeneration: guest.Generation,
	})
	if !changed {
		return nil
	}
	if err := r.Status().Patch(ctx, guest, client.MergeFrom(before)); err != nil {
		return err
	}
	r.events.Eventf(guest, nil, corev1.EventTypeNormal, "Greeted", "Greet", "said %s", guest.Spec.Greeting)
	return nil
}

func (r *reconciler) farewell(ctx context.Context, guest *Guest) error {
	if !controllerutil.RemoveFinalizer(guest, finalizer) {
		return nil
	}
	seal := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: guest.Namespace, Name: guest.Name}}
	if err := client.IgnoreNotFound(r.Delete(ctx, seal)); err != nil {
		return err
	}
	return client.IgnoreNotFound(r.Update(ctx, guest))
}
