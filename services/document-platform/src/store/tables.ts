import type { JobTables } from '@chancela/outbox/queue'
import type { EventTables } from '@chancela/service-kernel/events'
import type { ApiKeyTables } from '@chancela/service-kernel/http'
import type { InstanceSecretRow } from '@chancela/service-kernel/secrets'
import type { Generated } from 'kysely'
import type { auditActors } from '../contract/audit.ts'
import type { CloudOutcome } from '../contract/cloud-signing.ts'
import type { TokenOutcome } from '../contract/token-signing.ts'
import type { GenerationStatus } from '../rules/generation.ts'
import type {
  ActionStatus,
  ActionType,
  AgentType,
  DocumentStatus,
  SignatureFormat,
  VerificationStamp,
} from '../rules/vocabulary.ts'

/** One row of `organization`: owner of documents, folders, applications and webhooks. */
export interface OrganizationRow {
  id: string
  name: string
  /** CNPJ, digits only. */
  identifier: string | null
  /** The user whose personal organization it is. */
  owner_id: string | null
  /** IANA name; documents expire at the end of its day. */
  time_zone: string
  /** JSON of the billing information. */
  billing: string | null
  /** Whether its users need a second factor: 0 or 1. */
  require_second_factor: number
  /** Whether anybody with the verification code may read concluded documents. */
  public_documents: number
  /** What its PDFs get before anybody signs; null as the instance says. */
  verification_stamp: VerificationStamp | null
  created_at: string
  deleted_at: string | null
}

/**
 * One row of `contact`: somebody an organization deals with, as that organization wrote it down. Everybody who takes
 * part in its flows, and each of its users, is one. Nothing in it is another organization's.
 */
export interface ContactRow {
  organization_id: string
  /** Unique within the organization. */
  id: string
  name: string
  /** CPF, digits alone; unique within the organization. */
  identifier: string | null
  /** In lower case. */
  email: string | null
  phone: string | null
  created_at: string
  updated_at: string
}

/**
 * One row of `account`: somebody who signs in. Its address was proved by its owner (an invitation opened), or set by
 * the administration of the instance; it is the same for every organization that the owner works for.
 */
export interface AccountRow {
  id: string
  name: string
  /** In lower case; one account each. */
  email: string
  phone: string | null
  password_hash: string | null
  /** TOTP secret in base32, sealed; null until an authenticator app is set up. */
  sealed_totp: string | null
  /** A secret not confirmed yet, sealed. */
  sealed_new_totp: string | null
  /** The last time step whose code was accepted: each code is accepted once. */
  totp_step: number | null
  language: string | null
  created_at: string
  updated_at: string
}

/** With the password of the account, or at an identity provider. */
export type SignInWay = 'password' | 'oidc'

/** One row of `account_session`: somebody signed in at one browser. Its cookie names the row, so that both can end it. */
export interface AccountSessionRow {
  id: string
  account_id: string
  /** For which of the account's organizations it acts. */
  organization_id: string
  /** How its user proved who they are. */
  way: SignInWay
  created_at: string
  /** Of a call, to the minute: not every call writes. */
  seen_at: string
  ip: string
  user_agent: string
  ended_at: string | null
  /** When its user last proved who they are; null where an identity provider let somebody pass, or before this was kept. */
  proved_at: string | null
}

/** One row of `recovery_code`: a code for one sign-in without the authenticator app. */
interface RecoveryCodeRow {
  account_id: string
  /** SHA-256; the code is shown once. */
  hash: string
}

/** One row of `sign_in_guess`: how often an address was guessed at. Swept after its time. */
export interface SignInGuessRow {
  /** Hash of the address and of what is guessed. */
  id: string
  guesses: number
  /** When they count no longer. */
  expires_at: string
}

/**
 * One row of `audit_entry`: something that was done in an organization. Rows are appended and swept from the oldest on,
 * never changed.
 */
export interface AuditEntryRow {
  organization_id: string
  /** Counts up in the organization, without gaps. */
  number: number
  at: string
  kind: string
  actor_type: (typeof auditActors)[number]
  actor_id: string | null
  actor_name: string | null
  ip: string
  subject_kind: string | null
  subject_id: string | null
  subject_name: string | null
  /** JSON text of what changed. */
  before: string | null
  after: string | null
  /** Seal over all of it and over the seal of the entry before. */
  hash: string
}

/** One row of `organization_audit`: where the entries of an organization end, and the last one that was swept. */
export interface OrganizationAuditRow {
  organization_id: string
  number: number
  hash: string
  swept_number: number
  swept_hash: string
}

/** One row of `member`: the roles of a contact who is a user of the organization. */
export interface MemberRow {
  organization_id: string
  /** Of the contact. */
  person_id: string
  administrator: number
  manager: number
  operator: number
  /** Who signs in as this user; nothing until an invitation is accepted. */
  account_id: string | null
  created_at: string
}

/** What an application may do: for its organization, or for the instance. */
export type ApplicationRole = 'Organization' | 'Administration' | 'Monitor' | 'Billing'

/** One row of `application_scope`: the organization of an application; keys are in the kernel's tables. */
export interface ApplicationScopeRow {
  application_id: string
  organization_id: string
  /** As the organization calls it; the kernel's tables have a name that is unique in the instance. */
  name: string
  role: ApplicationRole
  /** JSON list of folders it is restricted to, subfolders included; null for all. */
  folder_ids: string | null
}

export interface FolderRow {
  id: string
  organization_id: string
  parent_id: string | null
  name: string
  /** The name in lower case without accents, for search and sorting. */
  name_key: string
  created_at: string
  updated_at: string
}

/** One row of `upload`: bytes not yet part of a document. */
export interface UploadRow {
  id: string
  organization_id: string
  digest: string
  size: number
  /** Base64. */
  md5: string
  name: string
  content_type: string
  created_at: string
  /** Unused uploads are swept after this time. */
  expires_at: string
}

/** One row of `segmented_upload`: a large file being uploaded in parts. */
export interface SegmentedUploadRow {
  id: string
  organization_id: string
  /** JSON list of blob digests, in order. */
  segments: string
  received: number
  total: number | null
  /** The completed upload: a last segment that is sent again gets the same answer. */
  upload_id: string | null
  created_at: string
  expires_at: string
}

/** One row of `document`. */
export interface DocumentRow {
  id: string
  organization_id: string
  folder_id: string | null
  /** Verification code: 20 upper-case letters and digits. */
  key: string
  name: string
  /** The words of the name in lower case without accents, each after a space. */
  name_key: string
  filename: string
  mime_type: string
  size: number
  md5: string
  status: DocumentStatus
  format: SignatureFormat
  is_envelope: number
  force_cades: number
  /** What its creation asked for; null: what the organization chose. */
  verification_stamp: VerificationStamp | null
  signature_type: string
  type: string | null
  description: string | null
  /** The instant it expires, and the requested day. */
  expires_at: string | null
  expiration_day: string | null
  created_by_id: string
  created_by_name: string
  /** The words of the creator's name. */
  created_by_key: string
  created_by_type: AgentType
  created_at: string
  updated_at: string
  status_by_id: string | null
  status_by_name: string | null
  status_by_type: AgentType | null
  status_reason: string | null
  deleted_at: string | null
  /** Whether any action is a signature. */
  has_signers: number
  /** Changes with every signature, approval, refusal, edit of the flow and new version: detects stale reads. */
  revision: number
  /** The uploaded file, and the current one with its signatures (the same until the first). */
  original_digest: string
  current_digest: string
  /** Bytes of the current file. */
  current_size: number
  signatures: number
  notified_emails: string
  disable_pending_notifications: number
  disable_notifications: number
  timestamp_enabled: number
  /** JSON: fields, metadata, healthData. */
  additional_info: string | null
  xml_namespaces: string | null
  /** JSON of the security context as it was when the document was created. */
  security_context: string | null
  /** How often addresses of its participants were revoked. */
  revocations: number
}

/** One row of `flow_action`: a step of a document's flow. */
export interface FlowActionRow {
  id: string
  document_id: string
  /** Order of creation inside the document. */
  position: number
  type: ActionType
  step: number
  status: ActionStatus
  /** How many of its participants must act. */
  required: number
  title: string | null
  rule_name: string | null
  /** JSON of what it requires of participants: `ActionOptions`. */
  options: string
  created_at: string
  pending_at: string | null
  updated_at: string | null
}

/** One row of `participant`: a person in an action; Signer and Approver have one, rules several. */
export interface ParticipantRow {
  id: string
  action_id: string
  document_id: string
  organization_id: string
  position: number
  person_id: string
  name: string
  /** The words of the name, as in `document.name_key`. */
  name_key: string
  identifier: string | null
  email: string | null
  phone: string | null
  completed_at: string | null
  refused_at: string | null
  refusal_reason: string | null
  is_electronic: number
  /** Number of reminders sent, and time of the last. */
  reminders: number
  reminded_at: string | null
  /** How often the addresses of their action were revoked. */
  revocations: number
}

/** One row of `signature`: an act of a participant, with its evidence. */
export interface SignatureRow {
  id: string
  document_id: string
  action_id: string | null
  participant_id: string | null
  kind: 'certificate' | 'electronic' | 'approval'
  at: string
  /** DER, base64; the instance's for electronic ones, null for approvals. */
  certificate: string | null
  /** JSON of the evidence. */
  evidences: string
}

export interface ObserverRow {
  id: string
  document_id: string
  person_id: string
  name: string
  identifier: string | null
  email: string | null
  language: string | null
}

export interface AttachmentRow {
  id: string
  document_id: string
  display_name: string
  name: string
  content_type: string
  digest: string
  size: number
  is_private: number
}

export interface TagRow {
  id: string
  document_id: string
  organization_id: string
  label: string | null
  value: string
}

/** One row of `document_term`: an entry of the search index. */
export interface DocumentTermRow {
  shelf: string
  term: string
  document_id: string
}

/** One row of `timeline`: an event in a document's history; never changed. */
export interface TimelineRow {
  id: string
  document_id: string
  at: string
  type: string
  agent_id: string | null
  agent_name: string | null
  agent_type: string | null
  action_id: string | null
  detail: string | null
}

/** One row of `authentication_code`: the code sent to a participant. */
interface AuthenticationCodeRow {
  participant_id: string
  /** Sealed: a digest of so few digits can be brute-forced. */
  code: string
  sent_at: string
  expires_at: string
  attempts: number
}

export interface SavedFlowRow {
  id: string
  organization_id: string
  name: string
  description: string | null
  /** Null where the request did not say. */
  are_actions_ordered: number | null
  /** JSON of the actions and observers as given. */
  actions: string
  observers: string
  created_by_id: string
  created_by_name: string
  created_at: string
  updated_at: string
}

export interface MarksSessionRow {
  id: string
  organization_id: string
  /** JSON list of the files shown. */
  files: string
  participants: string
  data: string | null
  /** JSON of what else the session was begun with. */
  wishes: string | null
  created_at: string
  expires_at: string
}

/** One row of `document_template`: a PDF form that documents are made of. */
export interface TemplateRow {
  id: string
  organization_id: string
  name: string
  filename: string
  digest: string
  /** JSON list of the names of its fields. */
  fields: string
  created_by_id: string
  created_by_name: string
  created_at: string
}

/** One row of `generation`: documents that are made of a form and the lines of a file, in the background. */
export interface GenerationRow {
  id: string
  organization_id: string
  folder_id: string | null
  status: GenerationStatus
  /** JSON of the request without its files. */
  request: string
  /** JSON of who asked for it. */
  caller: string
  agent_id: string
  template_name: string
  template_digest: string
  template_fields: string
  data_digest: string
  total: number
  /** The row of the file that comes next, from 0. */
  next_row: number
  completed: number
  failed: number
  /** JSON list of the rows that made no document. */
  errors: string
  created_at: string
  updated_at: string
}

/** One row of `cloud_signing`: a participant who was sent to the hub. It contains no credentials. */
export interface CloudSigningRow {
  id: string
  /** SHA-256, hex, of the nonce that the hub's session and the participant's browser hold. */
  nonce_hash: string
  document_id: string
  participant_id: string
  /** The file that the participant was shown. */
  original_digest: string
  /** JSON of the requested signature options. */
  wishes: string
  expires_at: string
  /** When its one return arrived. */
  taken_at: string | null
  outcome: CloudOutcome | null
}

/** One row of `token_signing`: a participant whose token was asked for through the session server. */
export interface TokenSigningRow {
  id: string
  /** At the session server. */
  approval_id: string
  document_id: string
  participant_id: string
  /** The file that the participant was shown. */
  original_digest: string
  /** JSON of the requested signature options. */
  wishes: string
  expires_at: string
  /** When the approval was used: one call signs. */
  taken_at: string | null
  outcome: TokenOutcome | null
}

/** One row of `billed_transaction`: counted when it occurs, billed when its month closes. */
interface BilledTransactionRow {
  id: Generated<number>
  organization_id: string
  type: string
  /** yyyy-MM in the default time zone. */
  month: string
  total: number
  /** 1: in an invoice. */
  is_closed: Generated<number>
}

export interface InvoiceRow {
  id: Generated<number>
  organization_id: string
  year: number
  month: number
  value: number
  totals: string
  storage_bytes: number
  is_paid: number
  closed_at: string
}

/** One row of `instance_state`: a name and value of the instance. */
interface InstanceStateRow {
  name: string
  value: string
}

export interface Tables extends EventTables, ApiKeyTables, JobTables {
  organization: OrganizationRow
  contact: ContactRow
  account: AccountRow
  account_session: AccountSessionRow
  recovery_code: RecoveryCodeRow
  sign_in_guess: SignInGuessRow
  audit_entry: AuditEntryRow
  organization_audit: OrganizationAuditRow
  member: MemberRow
  application_scope: ApplicationScopeRow
  folder: FolderRow
  upload: UploadRow
  segmented_upload: SegmentedUploadRow
  document: DocumentRow
  flow_action: FlowActionRow
  participant: ParticipantRow
  signature: SignatureRow
  observer: ObserverRow
  attachment: AttachmentRow
  tag: TagRow
  document_term: DocumentTermRow
  timeline: TimelineRow
  authentication_code: AuthenticationCodeRow
  saved_flow: SavedFlowRow
  marks_session: MarksSessionRow
  document_template: TemplateRow
  generation: GenerationRow
  cloud_signing: CloudSigningRow
  token_signing: TokenSigningRow
  billed_transaction: BilledTransactionRow
  invoice: InvoiceRow
  instance_secret: InstanceSecretRow
  instance_state: InstanceStateRow
}

/** An action with its participants. */
export interface FlowStep {
  readonly action: FlowActionRow
  readonly participants: readonly ParticipantRow[]
}
