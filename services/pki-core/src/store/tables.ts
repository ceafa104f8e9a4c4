import type { AdministratorTables } from '@chancela/admin-console'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { AuthenticationState } from '../rules/authentication-states.ts'
import type { BioTables } from './bio/tables.ts'
import type { CertificateTables } from './certificate-tables.ts'
import type { DocumentTables } from './document-tables.ts'
import type { EarlierTables } from './earlier-tables.ts'
import type { FileRuleTables } from './file-rule-tables.ts'
import type { SessionTables } from './session-tables.ts'

/** One row of `subscription`: whoever the data of an instance belong to. */
export interface SubscriptionRow {
  id: string
  name: string
  /** The security context of requests that name none; null: the instance's. */
  default_context_id: string | null
  created_at: string
  /** While set, nothing is done for the subscription. */
  disabled_at: string | null
}

/** One row of `application_access`: what is known of an application besides its name and keys. */
export interface ApplicationAccessRow {
  application_id: string
  /** The subscription it was made in. */
  subscription_id: string
  /** JSON list: roles in the whole instance. */
  root_roles: string
  /** The application in whose name those were given. */
  grant_application_id: string | null
  /** JSON: name to values, stamped on every document of the application. */
  default_metadata: string
  /** Deleted ones keep their row, which others may name. */
  deleted_at: string | null
}

/** One row of `application_role`: what an application may do in a subscription. */
interface ApplicationRoleRow {
  application_id: string
  subscription_id: string
  /** JSON list. */
  roles: string
}

/** One row of `security_context`: whom a subscription trusts. */
export interface SecurityContextRow {
  id: string
  subscription_id: string
  name: string
  /** PEM. */
  roots: string
  /** PEM: authorities that are known but not trusted by themselves. */
  intermediates: string
  created_at: string
  updated_at: string
  /** `IgnoreUnknown`: a revocation status that nobody tells is a warning. */
  revocation: 'Required' | 'IgnoreUnknown'
  /** JSON list of OIDs: a certificate has one of these policies; empty for any. */
  policies: string
  /** Counts the changes. */
  version: number
}

/** One row of `authentication_entry`: somebody authenticated, or failed to. */
export interface AuthenticationEntryRow {
  id: string
  at: string
  subscription_id: string
  application_id: string
  generation: 'Second' | 'Earlier'
  context_id: string
  /** `Success`, or the type of the first error. */
  outcome: string
  /** Name in the certificate. */
  subject: string | null
  /** CPF or CNPJ, masked. */
  identifier: string | null
  /** SHA-256 of the certificate, hex. */
  thumbprint: string | null
}

/** One row of `problem_entry`: a call that failed inside the service. */
export interface ProblemEntryRow {
  id: string
  /** What the caller was told: the correlation id. */
  exception_code: string
  at: string
  status: number
  code: string
  path: string
  problem: string
  /** The stack. */
  detail: string | null
}

/** One row of `authentication`: one of the earlier generation, by token or by nonce. */
export interface AuthenticationRow {
  /** SHA-256 of the token, or of the nonce that stands in its place, base64url. */
  id: string
  subscription_id: string
  state: AuthenticationState
  /** Base64. */
  nonce: string
  /** Null where the context is chosen at completion. */
  context_id: string | null
  ignores_unknown: number
  /** DER, base64. */
  certificate: string | null
  /** Base64. */
  signature: string | null
  created_at: string
  expires_at: string
}

/** One row of `used_nonce`: a state of the second generation that was completed. Its insertion is the single use. */
export interface UsedNonceRow {
  nonce: string
  expires_at: string
}

export interface Tables
  extends EventTables,
    ApiKeyTables,
    AdministratorTables,
    CertificateTables,
    DocumentTables,
    FileRuleTables,
    BioTables,
    EarlierTables,
    SessionTables {
  subscription: SubscriptionRow
  application_role: ApplicationRoleRow
  security_context: SecurityContextRow
  authentication: AuthenticationRow
  used_nonce: UsedNonceRow
  application_access: ApplicationAccessRow
  authentication_entry: AuthenticationEntryRow
  problem_entry: ProblemEntryRow
}
