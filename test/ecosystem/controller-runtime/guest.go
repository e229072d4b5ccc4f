package main

import (
	"maps"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GuestSpec is what a person asks of the operator.
type GuestSpec struct {
	Greeting string `json:"greeting,omitempty"`
	Size     int32  `json:"size,omitempty"`
}

// GuestStatus is what the operator says of a guest.
type GuestStatus struct {
	Ready              bool               `json:"ready,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// Guest is the custom kind of the operator.
type Guest struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              GuestSpec   `json:"spec,omitempty"`
	Status            GuestStatus `json:"status,omitempty"`
}

// GuestList is a list of guests.
type GuestList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Guest `json:"items"`
}

var version = schema.GroupVersion{Group: "example.com", Version: "v1"}

// DeepCopyObject copies a guest.
func (guest *Guest) DeepCopyObject() runtime.Object {
	copied := *guest
	guest.ObjectMeta.DeepCopyInto(&copied.ObjectMeta)
	copied.Status.Conditions = append([]metav1.Condition(nil), guest.Status.Conditions...)
	return &copied
}

// DeepCopyObject copies a list of guests.
func (list *GuestList) DeepCopyObject() runtime.Object {
	copied := *list
	list.ListMeta.DeepCopyInto(&copied.ListMeta)
	copied.Items = make([]Guest, len(list.Items))
	for index := range list.Items {
		copied.Items[index] = *list.Items[index].DeepCopyObject().(*Guest)
	}
	return &copied
}

func register(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(version, &Guest{}, &GuestList{})
	metav1.AddToGroupVersion(scheme, version)
}

type properties = map[string]apiextensionsv1.JSONSchemaProps

func object(fields properties) apiextensionsv1.JSONSchemaProps {
	return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: fields}
}

func conditions() apiextensionsv1.JSONSchemaProps {
	texts := properties{"lastTransitionTime": {Type: "string", Format: "date-time"}, "observedGeneration": {Type: "integer"}}
	for _, name := range []string{"type", "status", "reason", "message"} {
		texts[name] = apiextensionsv1.JSONSchemaProps{Type: "string"}
	}
	item := object(maps.Clone(texts))
	item.Required = []string{"type", "status"}
	kind := "map"
	return apiextensionsv1.JSONSchemaProps{
		Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item},
		XListType: &kind, XListMapKeys: []string{"type"},
	}
}

func definition() *apiextensionsv1.CustomResourceDefinition {
	root := object(properties{
		"spec": object(properties{"greeting": {Type: "string"}, "size": {Type: "integer"}}),
		"status": object(properties{
			"ready": {Type: "boolean"}, "observedGeneration": {Type: "integer"}, "conditions": conditions(),
		}),
	})
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "guests.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: version.Group, Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "guests", Singular: "guest", Kind: "Guest", ListKind: "GuestList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: version.Version, Served: true, Storage: true,
				Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &root},
				Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
			}},
		},
	}
}
