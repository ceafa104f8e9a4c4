import type { AdministratorTables } from '@chancela/admin-console'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { InstanceSecretRow } from '@chancela/service-kernel/secrets'
import type { IdentifierType, ListedHashState, SessionType } from '../contract/models.ts'
import type { SessionState } from '../rules/session-states.ts'

/** One row of `provider`. */
export interface ProviderRow {
  id: string
  /** As clients see it. */
  service_name: string
  /** The same in lower case: paths match it in any case. Also the last segment of its callback. */
  name_key: string
  /** The company. */
  provider: string
  protocol: 'psc' | 'csc'
  /** The preset it was created from, for the page that shows it. */
  preset: string
  endpoint: string
  badge_url: string | null
  client_id: string
  /** What it is reached through, without the password; null for nothing. */
  proxy_url: string | null
  /** Sealed under `provider.sealed_secret:<id>`. */
  sealed_secret: string
  /** JSON: differences between providers of one protocol (`upstream/knobs.ts`). */
  knobs: string
  /** Order in lists. */
  position: number
  /** 0 excludes it from everything new; sessions it granted continue. */
  enabled: number
  created_at: string
  updated_at: string
}

/** One row of `redirect_uri`: an allowed redirect URI of a key. */
export interface RedirectUriRow {
  key_id: string
  /** As the WHATWG parser serializes it. */
  uri: string
  created_at: string
}

/** One row of `creation`: one call that created sessions, and their common data. */
export interface CreationRow {
  id: string
  key_id: string
  application_id: string
  type: SessionType
  redirect_uri: string
  /** Sealed under `creation.sealed_identifier:<id>`. */
  sealed_identifier: string | null
  /** By which creations of one identifier are found (`identifier-digest.ts`). */
  identifier_digest: string | null
  identifier_type: IdentifierType | null
  /** Sealed under `creation.sealed_custom_state:<id>`. */
  sealed_custom_state: string | null
  /** JSON: the hashes known beforehand with their algorithm, or null. */
  known_hashes: string | null
  lifetime_seconds: number
  created_at: string
  /** Created + lifetime: no session of it lives longer. */
  expires_at: string
  /** SHA-256 of the chooser's ticket, base64url, where the client asked for the page. */
  chooser_hash: string | null
  /** The chooser's data, JSON sealed under `creation.sealed_choice:<id>`: its URLs contain OAuth states. */
  sealed_choice: string | null
  /**
   * What the holder is shown for each of `known_hashes`, JSON sealed under `creation.sealed_names:<id>`: the sessions
   * are bound to them. Null where they are not.
   */
  sealed_names: string | null
}

/** A creation with its holder and its customState opened (`sealed-holders.ts`). */
export interface Creation extends Omit<CreationRow, 'sealed_identifier' | 'identifier_digest' | 'sealed_custom_state'> {
  identifier: string | null
  custom_state: string | null
}

/** One row of `session`: one provider of a creation. */
export interface SessionRow {
  id: string
  creation_id: string
  key_id: string
  provider_id: string
  type: SessionType
  state: SessionState
  /** SHA-256 of the OAuth state, base64url; null once it was used. */
  state_hash: string | null
  /** Secrets of a started authorization (PKCE verifier, step), sealed under `session.sealed_step:<id>`. */
  sealed_step: string | null
  /** Until when the state is accepted. */
  step_until: string | null
  /** SHA-256 of the session value, base64url. */
  value_hash: string | null
  /** The provider's tokens, sealed under `session.sealed_grant:<id>`; deleted at use, end or expiry. */
  sealed_grant: string | null
  /** The chosen certificate, and its name at the provider. */
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
  /** When the row is deleted: expiry plus the tombstone period. */
  purge_at: string
  /** How many hashes it is bound to (`listed_hash`, from the authorization on); null where it is to none. */
  list_size: number | null
}

/** One row of `listed_hash`: a hash that the holder was shown by a name, and that the session may sign once. */
interface ListedHashRow {
  session_id: string
  /** Base64. */
  hash: string
  state: ListedHashState
}

/** One row of `session_use`: the audit of uses of sessions. */
/** Whose a session was that is deleted; sealed as in its creation. */
export interface PastHolderRow {
  session_id: string
  creation_id: string
  identifier_type: IdentifierType
  sealed_identifier: string
  identifier_digest: string
  /** When the session could be used no more. */
  expires_at: string
}

export interface SessionUseRow {
  /** Sorts by time (`newRowId`). */
  id: string
  at: string
  session_id: string
  key_id: string
  provider_id: string
  action: 'authorize' | 'certificate' | 'sign' | 'end'
  /** The outcome: `ok`, the answered code, or why the session was ended. */
  outcome: string
  /** Number of hashes, and their algorithm. */
  hashes: number
  digest_algorithm: string | null
  alias: string | null
  /** Milliseconds at the provider. */
  milliseconds: number | null
  correlation_id: string | null
}

/** One row of `signature_replay`: an answer stored for its Idempotency-Key. */
export interface SignatureReplayRow {
  session_id: string
  /** SHA-256 of the header, base64url. */
  key_hash: string
  /** SHA-256 of the request's content, base64url. */
  request_hash: string
  /** JSON list of base64 signatures; null while signing. */
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
  listed_hash: ListedHashRow
  past_holder: PastHolderRow
  instance_secret: InstanceSecretRow
}
