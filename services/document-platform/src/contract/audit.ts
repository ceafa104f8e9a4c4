// Who administered an organization, and how: the audit.
import Type from 'typebox'
import { Count, Flag, Id, orNull, pageOf, Text, Time } from './common.ts'

/** Every kind of entry, and what it tells. */
export const auditKinds = {
  OrganizationCreated: 'The organization was created.',
  OrganizationChanged: 'Name, time zone, billing information or rules of the organization were changed.',
  OrganizationDeleted: 'The organization was deleted.',
  UserAdded: 'A user was added.',
  UserChanged: 'Name, address or phone of a user were changed.',
  UserRolesChanged: 'A user was given other roles.',
  UserRemoved: 'A user was removed.',
  InvitationSent: 'An invitation was sent to a user.',
  InvitationAccepted: 'A user accepted an invitation.',
  AccountChanged: 'The administration of the instance changed the account of a user.',
  ApplicationCreated: 'An application was created.',
  ApiKeyCreated: 'A key of an application was created.',
  ApiKeyRevoked: 'A key of an application was revoked.',
  WebhookCreated: 'A webhook was registered.',
  WebhookChanged: 'A webhook was changed.',
  WebhookSwitched: 'A webhook was enabled, paused or disabled.',
  WebhookSecretRotated: 'A webhook was given another secret.',
  WebhookDeleted: 'A webhook was removed.',
  SignedIn: 'A user signed in.',
  SignInFailed: 'Somebody tried to sign in as a user with a wrong password or code.',
  SignInLocked: 'The account of a user was locked for a while: too many wrong passwords or codes.',
  SignInRefused: 'The identity provider named somebody who has no account and no invitation.',
  OrganizationEntered: 'A user who was signed in went on for this organization.',
  SignedOut: 'A user signed out.',
  SessionsEnded: 'A user ended sessions at other browsers.',
  PasswordChanged: 'A user changed the password.',
  PasswordResetRequested: 'A link for a new password was sent to a user.',
  PasswordReset: 'A user chose a new password by the link.',
  SecondFactorSet: 'A user set up an authenticator app.',
  SecondFactorRemoved: 'The authenticator app of a user was removed.',
  RecoveryCodesMade: 'A user made new recovery codes.',
  RecoveryCodeUsed: 'A user signed in with a recovery code.',
  FolderDeleted: 'A folder was deleted.',
  DocumentDeleted: 'A document was deleted.',
  DocumentDownloaded: 'A user opened or downloaded a file of a document.',
  ActionUrlCreated: 'A user asked for the address under which a participant acts.',
  FolderCreated: 'A folder was created.',
  FolderChanged: 'A folder was renamed or moved.',
  FlowCreated: 'A flow was saved.',
  FlowChanged: 'A saved flow was changed.',
  FlowDeleted: 'A saved flow was deleted.',
  TemplateCreated: 'A template was created.',
  TemplateDeleted: 'A template was deleted.',
  GenerationCanceled: 'The generation of documents was canceled.',
  DocumentCanceled: 'A document was canceled.',
  DocumentRefused: 'A document was refused for the organization.',
  WebhookTested: 'A test event was sent to a webhook.',
  WebhookReplayed: 'Deliveries of a webhook were sent again.',
  WebhookDeliveriesCanceled: 'Waiting deliveries of a webhook were canceled.',
  ReportRequested: 'A report of documents was requested.',
  AuditExported: 'The audit was exported as a file.',
  ActionUrlRevoked: 'The addresses under which participants act were revoked.',
} as const satisfies Readonly<Record<string, string>>

export type AuditKind = keyof typeof auditKinds

export const auditActors = ['User', 'Application', 'Anonymous'] as const

const tags = ['Audit']
const path = '/api/organizations/{orgId}/audit'

const AuditEntry = Type.Object(
  {
    number: Type.Integer({ description: 'Counts up in the organization.' }),
    date: Time,
    kind: Type.String({ description: 'One of the kinds this version knows, or one of another version.' }),
    actor: Type.Object({ type: Type.Enum([...auditActors]), id: orNull(Text), name: orNull(Text) }),
    ipAddress: Text,
    subject: orNull(Type.Object({ kind: Text, id: Text, name: orNull(Text) })),
    before: orNull(Type.Unknown()),
    after: orNull(Type.Unknown()),
    hash: Type.String({ description: 'Over this entry and the hash of the one before.' }),
  },
  { $id: 'AuditEntry' },
)

const since = Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; inclusive.' }))
const until = Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601; exclusive.' }))

export const listAudit = {
  method: 'GET',
  path,
  summary: 'What was done in an organization, the latest first.',
  tags,
  query: Type.Object({
    kind: Type.Optional(Type.Enum(Object.keys(auditKinds) as AuditKind[])),
    actorId: Type.Optional(Id),
    since,
    until,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 50 })),
    cursor: Type.Optional(Type.String({ maxLength: 20, description: 'nextCursor of the page before.' })),
  }),
  answer: pageOf(AuditEntry),
  access: 'audit.read',
  refusals: ['OrganizationNotFound'],
} as const

export const verifyAudit = {
  method: 'GET',
  path: `${path}/verification`,
  summary: 'Whether the entries of an organization are as they were written: none changed, removed or added.',
  tags,
  answer: Type.Object({
    isIntact: Flag,
    entries: Count,
    /** Entries before it are gone after their time (`Audit:RetentionDays`). */
    first: orNull(Type.Object({ number: Type.Integer(), date: Time })),
    /** To be kept elsewhere: whoever removes the latest entries cannot write this hash again. */
    last: orNull(Type.Object({ number: Type.Integer(), date: Time, hash: Text })),
    brokenAt: orNull(Type.Integer({ description: 'Number of the first entry that is not as it was written.' })),
  }),
  access: 'audit.read',
  refusals: ['OrganizationNotFound'],
} as const

/** The entries of a time as a file, oldest first. */
const auditFile = <const Format extends string, const Produces extends string>(format: Format, produces: Produces) =>
  ({
    method: 'GET',
    path: `${path}/export.${format}`,
    summary: 'What was done in an organization, oldest first, as a file.',
    description: 'The export is an entry itself.',
    tags,
    query: Type.Object({
      since,
      until,
      language: Type.Optional(Type.Enum(['pt-BR', 'en-US'], { description: 'Of titles and texts. Default: pt-BR.' })),
    }),
    produces,
    access: 'audit.read',
    refusals: ['OrganizationNotFound'],
  }) as const

export const exportAuditAsCsv = auditFile('csv', 'text/csv; charset=utf-8')

export const exportAuditAsLines = auditFile('jsonl', 'application/jsonl')
