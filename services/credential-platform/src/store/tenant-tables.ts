// Rows of organizations and of what they set up: people, applications, institutions, courses, flows, templates.
import type { AuthType } from '@chancela/outbox/webhooks'
import type { instituteKinds, PartnershipStatus, Role } from '../contract/vocabulary.ts'

interface Times {
  created_at: string
  updated_at: string
}

/** One row of `subscription`: an organization, whose data no other sees. */
export interface SubscriptionRow extends Times {
  id: string
  name: string
  /** While set, nothing is done for the subscription. */
  disabled_at: string | null
}

/** One row of `membership`: a user of a subscription. Who it is, is known once the invitation was accepted. */
export interface MembershipRow extends Times {
  id: string
  subscription_id: string
  /** Of `administrator`, which has the password; null before the invitation was accepted. */
  person_id: string | null
  name: string
  /** In lower case. */
  email: string
  role: Role
}

/** One row of `application_role`: where an application works, and as what. */
interface ApplicationRoleRow {
  application_id: string
  subscription_id: string
  role: Role
  created_at: string
  /** A deleted application keeps its row: events name it. */
  deleted_at: string | null
}

/** One row of `webhook_settings`: what the owner of a webhook asked for. Its endpoint in the outbox follows from it. */
export interface WebhookSettingsRow {
  /** A subscription, or an institute. */
  owner_id: string
  subscription_id: string
  enabled: number
  url: string | null
  auth_type: AuthType
  sealed_token: string | null
  /** 1: of an institute whose events go where those of its organization go. */
  uses_subscription: number
  updated_at: string
}

/** One row of `institute`. */
export interface InstituteRow extends Times {
  id: string
  subscription_id: string
  kind: (typeof instituteKinds)[number]
  name: string
  /** Its code at the e-MEC. */
  code: string
  cnpj: string
  /** 0: outside the federal system, with layouts of its own. */
  federal_system: number
  /** Where its documents are verified; their unique URLs begin with it. */
  public_url: string
  /** JSON: address, acts and maintainer, as the layouts take them. */
  data: string
  deleted_at: string | null
}

/** One row of `institute_certificate`: what signs auxiliary documents without a person. */
export interface InstituteCertificateRow {
  institute_id: string
  /** PKCS #12 with its password, sealed. */
  sealed_key: string
  /** PEM. */
  certificate: string
  subject: string
  not_after: string
  created_at: string
}

/** One row of `partnership`: a registrar that takes the requests of an issuer, in this or another subscription. */
export interface PartnershipRow extends Times {
  id: string
  issuer_subscription_id: string
  issuer_institute_id: string
  registrar_subscription_id: string
  registrar_institute_id: string
  /** The subscription that proposed it: the other one accepts. */
  proposed_by: string
  status: PartnershipStatus
}

/** One row of `course`. */
interface CourseRow extends Times {
  id: string
  subscription_id: string
  institute_id: string
  name: string
  /** Null for a course that has a process instead. */
  emec_code: string | null
  /** JSON: what the layouts say of it. */
  data: string
  deleted_at: string | null
}

/** One row of `flow`: who signs a kind of document, in which order. */
interface FlowRow extends Times {
  id: string
  subscription_id: string
  institute_id: string | null
  name: string
  document_kind: string
  /** JSON list. */
  steps: string
  deleted_at: string | null
}

/** One row of `template`: how a visual representation looks. */
interface TemplateRow extends Times {
  id: string
  subscription_id: string
  institute_id: string | null
  name: string
  kind: 'RVDD' | 'RVHE' | 'RVCE'
  /** JSON. */
  content: string
  deleted_at: string | null
}

/** One row of `entity_event`: who did what with an item, for its organization. */
export interface EntityEventRow {
  id: string
  subscription_id: string
  at: string
  type: string
  actor_kind: 'user' | 'application' | 'system' | 'worker'
  actor_id: string
  actor_name: string
  entity_type: string
  entity_id: string
  /** JSON. */
  data: string | null
  /** Of the client; null where no request asked for it, and in rows of before it was kept. */
  address: string | null
  /** JSON of `EventChanges`. */
  changes: string | null
}

/** One row of `creation_replay`: the answer to a creation, for its Idempotency-Key. */
export interface CreationReplayRow {
  subscription_id: string
  /** SHA-256 of key and route, base64url. */
  key_hash: string
  /** SHA-256 of the request, base64url. */
  request_hash: string
  /** JSON. */
  answer: string
  created_at: string
}

export interface TenantTables {
  subscription: SubscriptionRow
  membership: MembershipRow
  application_role: ApplicationRoleRow
  webhook_settings: WebhookSettingsRow
  institute: InstituteRow
  institute_certificate: InstituteCertificateRow
  partnership: PartnershipRow
  course: CourseRow
  flow: FlowRow
  template: TemplateRow
  entity_event: EntityEventRow
  creation_replay: CreationReplayRow
}
