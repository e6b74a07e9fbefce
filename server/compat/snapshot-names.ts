/** Names of snapshot destinations and their fields as existing clients spell them, by our own spelling. */

/** Destination types. */
export const vendorStorageTypes: Readonly<Record<string, string>> = {
  local: 'local',
  'cloudA-store': 'aws-s3',
  'cloudB-store': 'google-gcs',
  'cloudC-store': 'azure-blob',
}

/** Fields; the first alias is the one that is written, the others are only read. */
export const vendorSnapshotFields: Readonly<Record<string, readonly [string, ...string[]]>> = {
  cloudA_bucket: ['aws_s3_bucket'],
  cloudA_region: ['aws_s3_region'],
  cloudA_access_key_id: ['aws_access_key_id'],
  cloudA_secret_access_key: ['aws_secret_access_key'],
  cloudA_session_token: ['aws_session_token'],
  cloudA_endpoint: ['aws_s3_endpoint'],
  cloudA_disable_tls: ['aws_s3_disable_tls'],
  cloudA_force_path_style: ['aws_s3_force_path_style'],
  cloudA_enable_kms: ['aws_s3_enable_kms'],
  cloudA_server_side_encryption: ['aws_s3_server_side_encryption'],
  cloudA_kms_key: ['aws_s3_kms_key', 'aws_s3_server_kms_key'],
  cloudB_bucket: ['google_gcs_bucket'],
  cloudB_service_account_key: ['google_service_account_key'],
  cloudB_endpoint: ['google_endpoint'],
  cloudB_disable_tls: ['google_disable_tls'],
  cloudC_container_name: ['azure_container_name'],
  cloudC_account_name: ['azure_account_name'],
  cloudC_account_key: ['azure_account_key'],
  cloudC_client_id: ['azure_client_id'],
  cloudC_auth_mode: ['azure_auth_mode'],
  cloudC_blob_environment: ['azure_blob_environment'],
  cloudC_endpoint: ['azure_endpoint'],
}

/** Host suffix of each blob environment. */
export const blobEnvironments: Readonly<Record<string, string>> = {
  AZUREPUBLICCLOUD: 'blob.core.windows.net',
  AZUREUSGOVERNMENTCLOUD: 'blob.core.usgovcloudapi.net',
  AZURECHINACLOUD: 'blob.core.chinacloudapi.cn',
  AZUREGERMANCLOUD: 'blob.core.cloudapi.de',
}

/** The blob environment of a configuration that names none. */
export const defaultBlobEnvironment = 'AZUREPUBLICCLOUD'

/** A switch of newer clients that has no meaning here; only `false` is accepted. */
export const autoloadField = 'autoload_enabled'
