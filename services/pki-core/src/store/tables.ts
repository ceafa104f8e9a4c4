import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { AuthenticationState } from '../rules/authentication-states.ts'
import type { DocumentTables } from './document-tables.ts'

/** One row of `subscription`: whoever the data of an instance belong to. */
export interface SubscriptionRow {
  id: string
  name: string
  /** The security context of requests that name none; null: the instance's. */
  default_context_id: string | null
  created_at: string
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
interface UsedNonceRow {
  nonce: string
  expires_at: string
}

export interface Tables extends EventTables, ApiKeyTables, DocumentTables {
  subscription: SubscriptionRow
  application_role: ApplicationRoleRow
  security_context: SecurityContextRow
  authentication: AuthenticationRow
  used_nonce: UsedNonceRow
}
