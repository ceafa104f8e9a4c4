import { administratorMigrations } from '@chancela/admin-console'
import { mailMigrations } from '@chancela/outbox/mail'
import { jobMigrations } from '@chancela/outbox/queue'
import { webhookMigrations } from '@chancela/outbox/webhooks'
import { blobMigrations } from '@chancela/service-kernel/blobs'
import { chainMigrations, eventMigrations } from '@chancela/service-kernel/events'
import { healthMigrations } from '@chancela/service-kernel/health'
import { apiKeyMigrations } from '@chancela/service-kernel/http'
import { masterKeyMigrations } from '@chancela/service-kernel/secrets'
import type { MigrationSet } from '@chancela/service-kernel/store'
import { batchMigrations } from './batch-migrations.ts'
import { documentMigrations } from './document-migrations.ts'
import { platformMigrations } from './platform-migrations.ts'
import { proposalMigrations } from './proposal-migrations.ts'
import { publicMigrations } from './public-migrations.ts'
import { registryMigrations } from './registry-migrations.ts'
import { remoteSigningMigrations } from './remote-signing-migrations.ts'
import { searchMigrations } from './search-migrations.ts'
import { signerMigrations } from './signer-migrations.ts'
import { signingMigrations } from './signing-migrations.ts'
import { suspensionMigrations } from './suspension-migrations.ts'
import { tenantMigrations } from './tenant-migrations.ts'
import { walletMigrations } from './wallet-migrations.ts'

/** The whole schema of the service: the kernel's tables, those of people and webhooks, and its own. */
export const credentialPlatformSchema: MigrationSet = {
  events: eventMigrations,
  'master-keys': masterKeyMigrations,
  health: healthMigrations,
  'audit-chain': chainMigrations,
  'api-keys': apiKeyMigrations,
  administrators: administratorMigrations,
  jobs: jobMigrations,
  webhooks: webhookMigrations,
  mail: mailMigrations,
  blobs: blobMigrations,
  'credential-tenants': tenantMigrations,
  'credential-documents': documentMigrations,
  'credential-signing': signingMigrations,
  'credential-registry': registryMigrations,
  'credential-proposals': proposalMigrations,
  'credential-batches': batchMigrations,
  'credential-signers': signerMigrations,
  'credential-remote-signing': remoteSigningMigrations,
  'credential-wallets': walletMigrations,
  'credential-document-platform': platformMigrations,
  'credential-search': searchMigrations,
  'credential-public': publicMigrations,
  'credential-suspensions': suspensionMigrations,
}
