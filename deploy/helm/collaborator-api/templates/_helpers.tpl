{{- /* Names, labels, and the parts that all pods share. */ -}}

{{- define "collaborator-api.name" -}}
{{- if contains "collaborator-api" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-collaborator-api" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- /* Selector labels. They are immutable, so they contain no version. */ -}}
{{- define "collaborator-api.selector" -}}
app.kubernetes.io/name: collaborator-api
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "collaborator-api.labels" -}}
{{ include "collaborator-api.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "collaborator-api.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "collaborator-api.service-account" -}}
{{- .Values.serviceAccount.name | default (ternary (include "collaborator-api.name" .) "default" .Values.serviceAccount.create) }}
{{- end }}

{{- /* Non-secret settings, and the paths of the secret ones. */ -}}
{{- define "collaborator-api.settings" -}}
{{- $folder := "/run/secrets/collaborator-api" }}
{{- $settings := dict
  "BASE_URL" .Values.baseUrl
  "MAIL_FROM" .Values.mailFrom
  "TRUST_PROXY" .Values.trustProxy
  "METRICS_HOST" "0.0.0.0"
  "METRICS_PORT" "9464" }}
{{- range $key, $in_secret := .Values.secret.keys }}
{{- if $in_secret }}{{ $_ := set $settings (printf "%s_FILE" (snakecase $key | upper)) (printf "%s/%s" $folder $in_secret) }}{{ end }}
{{- end }}
{{- toYaml (mergeOverwrite $settings .Values.settings) }}
{{- end }}

{{- define "collaborator-api.pod-security" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "collaborator-api.container-security" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "collaborator-api.volume-mounts" -}}
- name: secrets
  mountPath: /run/secrets/collaborator-api
  readOnly: true
- name: temporary
  mountPath: /tmp
- name: data
  mountPath: /data
{{- end }}

{{- define "collaborator-api.volumes" -}}
- name: secrets
  secret:
    secretName: {{ .Values.secret.name }}
    defaultMode: 0440
- name: temporary
  emptyDir: {}
# Nothing persistent: files are in the bucket, emails go out over SMTP.
- name: data
  emptyDir: {}
{{- end }}

{{- /* @param root, component, values of the deployment */ -}}
{{- define "collaborator-api.pod-metadata" -}}
labels:
  {{- include "collaborator-api.labels" .root | nindent 2 }}
  app.kubernetes.io/component: {{ .component }}
annotations:
  # Replaces the pods when settings change.
  checksum/settings: {{ include "collaborator-api.settings" .root | sha256sum }}
  {{- with .values.podAnnotations }}{{ toYaml . | nindent 2 }}{{ end }}
{{- end }}

{{- define "collaborator-api.pod-common" -}}
serviceAccountName: {{ include "collaborator-api.service-account" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "collaborator-api.pod-security" .root | nindent 2 }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "collaborator-api.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  {{- include "collaborator-api.volumes" .root | nindent 2 }}
{{- end }}
