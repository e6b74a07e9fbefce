{{- define "holdfast.labels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "holdfast.service" -}}
{{ .Release.Name }}.{{ .Release.Namespace }}.svc
{{- end }}
