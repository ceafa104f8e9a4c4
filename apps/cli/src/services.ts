import { batchSigner } from '@chancela/batch-signer'
import { cloudHub } from '@chancela/cloud-hub'
import { credentialPlatform } from '@chancela/credential-platform'
import { documentPlatform } from '@chancela/document-platform'
import { pkiCore } from '@chancela/pki-core'
import type { ServiceDefinition } from '@chancela/service-kernel/service'
import { sessionServer } from '@chancela/session-server'

/** The product's services in this build, in start order: each after those it calls. A new service is one line here. */
export const services: readonly ServiceDefinition[] = [
  batchSigner,
  cloudHub,
  documentPlatform,
  credentialPlatform,
  pkiCore,
  sessionServer,
]
