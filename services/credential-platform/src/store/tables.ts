import type { AdministratorTables } from '@chancela/admin-console'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { DocumentTables } from './document-tables.ts'
import type { PlatformTables } from './platform-tables.ts'
import type { PublicFactTables } from './public-facts.ts'
import type { RegistryTables } from './registry-tables.ts'
import type { RemoteSigningTables } from './remote-signing-tables.ts'
import type { SearchTables } from './search-tables.ts'
import type { SignerTables } from './signer-tables.ts'
import type { SigningTables } from './signing-tables.ts'
import type { TenantTables } from './tenant-tables.ts'
import type { WalletTables } from './wallet-tables.ts'

/** All tables of the service that its own code reads: the kernel's, the people's and its own. */
export interface Tables
  extends EventTables,
    ApiKeyTables,
    AdministratorTables,
    TenantTables,
    DocumentTables,
    PlatformTables,
    PublicFactTables,
    RegistryTables,
    RemoteSigningTables,
    SignerTables,
    SearchTables,
    SigningTables,
    WalletTables {}
