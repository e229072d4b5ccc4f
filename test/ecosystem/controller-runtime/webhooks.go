package main

import (
	"context"
	"errors"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const none = admissionv1.SideEffectClassNone

type guestRules struct{}

func (guestRules) Default(_ context.Context, guest *Guest) error {
	if guest.Spec.Greeting == "" {
		guest.Spec.Greeting = "hello"
	}
	return nil
}

func judge(guest *Guest) (admission.Warnings, error) {
	if guest.Spec.Size < 0 {
		return nil, errors.New("a size is not negative")
	}
	return admission.Warnings{"guests are looked at"}, nil
}

func (guestRules) ValidateCreate(_ context.Context, guest *Guest) (admission.Warnings, error) {
	return judge(guest)
}

func (guestRules) ValidateUpdate(_ context.Context, _, guest *Guest) (admission.Warnings, error) {
	return judge(guest)
}

func (guestRules) ValidateDelete(context.Context, *Guest) (admission.Warnings, error) {
	return nil, nil
}

func guestRequests(operations ...admissionv1.OperationType) []admissionv1.RuleWithOperations {
	return []admissionv1.RuleWithOperations{{Operations: operations, Rule: admissionv1.Rule{
		APIGroups: []string{version.Group}, APIVersions: []string{version.Version}, Resources: []string{"guests"},
	}}}
}

func calls(path string) admissionv1.WebhookClientConfig {
	return admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Name: "operator", Namespace: namespace, Path: &path}}
}

func mutatingWebhook() *admissionv1.MutatingWebhookConfiguration {
	effects := none
	return &admissionv1.MutatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "guests"},
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "default.guests.example.com", SideEffects: &effects, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: calls("/mutate-example-com-v1-guest"), Rules: guestRequests("CREATE", "UPDATE"),
		}},
	}
}

func validatingWebhook() *admissionv1.ValidatingWebhookConfiguration {
	effects := none
	return &admissionv1.ValidatingWebhookConfiguration{
		ObjectMeta: metav1.ObjectMeta{Name: "guests"},
		Webhooks: []admissionv1.ValidatingWebhook{{
			Name: "validate.guests.example.com", SideEffects: &effects, AdmissionReviewVersions: []string{"v1"},
			ClientConfig: calls("/validate-example-com-v1-guest"), Rules: guestRequests("CREATE", "UPDATE"),
		}},
	}
}
