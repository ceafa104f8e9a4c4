import type { AdministratorTables } from '@chancela/admin-console'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { InstanceSecretRow } from '@chancela/service-kernel/secrets'
import type { IdentifierType, SessionType } from '../contract/models.ts'
import type { SessionState } from '../rules/session-states.ts'

/** One row of `provider`. */
export interface ProviderRow {
  id: string
  /** As clients read it. */
  service_name: string
  /** The same in lower case: paths name it in any case. Also the last segment of its callback. */
  name_key: string
  /** The company. */
  provider: string
  protocol: 'psc' | 'csc'
  /** The preset it was made from, for the page that shows it. */
  preset: string
  endpoint: string
  badge_url: string | null
  client_id: string
  /** Sealed under `provider.sealed_secret:<id>`. */
  sealed_secret: string
  /** JSON: what differs between providers of one protocol (`upstream/knobs.ts`). */
  knobs: string
  /** Order in lists. */
  position: number
  /** 0 leaves it out of everything new; sessions it granted go on. */
  enabled: number
  created_at: string
  updated_at: string
}

/** One row of `redirect_uri`: where a key's users may be sent back to. */
export interface RedirectUriRow {
  key_id: string
  /** As the WHATWG parser writes it. */
  uri: string
  created_at: string
}

/** One row of `creation`: one call that created sessions, and what they have in common. */
export interface CreationRow {
  id: string
  key_id: string
  application_id: string
  type: SessionType
  redirect_uri: string
  identifier: string | null
  identifier_type: IdentifierType | null
  custom_state: string | null
  /** JSON: the hashes known beforehand with their algorithm, or nothing. */
  known_hashes: string | null
  lifetime_seconds: number
  created_at: string
  /** Created + lifetime: no session of it lives longer. */
  expires_at: string
  /** SHA-256 of the chooser's ticket, base64url, where the client asked for the page. */
  chooser_hash: string | null
  /** What the chooser shows, JSON sealed under `creation.sealed_choice:<id>`: its addresses hold OAuth states. */
  sealed_choice: string | null
}

/** One row of `session`: one provider of a creation. */
export interface SessionRow {
  id: string
  creation_id: string
  key_id: string
  provider_id: string
  type: SessionType
  state: SessionState
  /** SHA-256 of the OAuth state, base64url; nothing once it was taken. */
  state_hash: string | null
  /** What only the hub may know of a begun authorization (PKCE verifier, step), sealed under `session.sealed_step:<id>`. */
  sealed_step: string | null
  /** When the state is no longer taken for a login. */
  step_until: string | null
  /** SHA-256 of the session value, base64url. */
  value_hash: string | null
  /** The provider's tokens, sealed under `session.sealed_grant:<id>`; forgotten at use, end or expiry. */
  sealed_grant: string | null
  /** The certificate that was chosen, and its name at the provider. */
  alias: string | null
  /** Base64. */
  certificate: string | null
  created_at: string
  /** min(created + requested, token + granted). */
  expires_at: string
  authorized_at: string | null
  ended_at: string | null
  /** Why it cannot be used: a code for the admin page. */
  reason: string | null
  /** When the row goes: expiry plus the tombstone's time. */
  purge_at: string
}

/** One row of `session_use`: the audit of what was done under sessions. */
export interface SessionUseRow {
  /** Sorts by time (`newRowId`). */
  id: string
  at: string
  session_id: string
  key_id: string
  provider_id: string
  action: 'authorize' | 'certificate' | 'sign' | 'end'
  /** How it ended: `ok`, the code that was answered, or why the session was ended. */
  outcome: string
  /** Hashes it was about, and of which algorithm. */
  hashes: number
  digest_algorithm: string | null
  alias: string | null
  /** Milliseconds at the provider. */
  milliseconds: number | null
  correlation_id: string | null
}

/** One row of `signature_replay`: an answer kept for its Idempotency-Key. */
export interface SignatureReplayRow {
  session_id: string
  /** SHA-256 of the header, base64url. */
  key_hash: string
  /** SHA-256 of what was asked, base64url. */
  request_hash: string
  /** JSON list of base64 signatures; nothing while it is being signed. */
  signatures: string | null
  at: string
}

export interface Tables extends EventTables, ApiKeyTables, AdministratorTables {
  provider: ProviderRow
  redirect_uri: RedirectUriRow
  creation: CreationRow
  session: SessionRow
  session_use: SessionUseRow
  signature_replay: SignatureReplayRow
  instance_secret: InstanceSecretRow
}
