// Renditions of documents as PDFs: gathers their data here, and parts/renditions draws them.
import { Certificate } from '@chancela/signature-engine/x509'
import type { Context } from '../../context.ts'
import type {
  ActMethod,
  LabelledMark,
  ParticipantInfo,
  RenditionLanguage,
  SignaturesInfo,
  TimelineEvent,
} from '../../parts/renditions/rendition-info.ts'
import { signersMarks } from '../../rules/authentication-stamps.ts'
import type { ActionOptions } from '../../rules/flow-plan.ts'
import { actionKinds } from '../../rules/vocabulary.ts'
import { flowOf } from '../../store/document-reads.ts'
import { findOrganization } from '../../store/organization-reads.ts'
import type { DocumentRow, FlowStep, ParticipantRow, SignatureRow, TimelineRow } from '../../store/tables.ts'
import type { TimelineType } from '../../store/timeline-rows.ts'

interface Rendition {
  /** Between the name of the file and `.pdf`. */
  readonly suffix: string
  make(context: Context, document: DocumentRow, reader: Reader): Promise<Buffer>
}

/** Who wants to see a document, and when. */
export interface Reader {
  readonly language: RenditionLanguage
  readonly now: Date
  /** Aborted when the reader goes away. */
  readonly signal: AbortSignal
}

/** How each form is made. */
export const renditions = {
  OriginalWithMarks: { suffix: 'marks', make: (...given) => marked(...given, 'pages', () => true) },
  SignatureMarks: { suffix: 'marks', make: (...given) => marked(...given, 'blank', () => true) },
  SigningTags: {
    suffix: 'tags',
    make: (...given) => marked(...given, 'blank', ({ completed_at }) => completed_at === null),
  },
  PrinterFriendlyVersion: {
    suffix: 'printable',
    async make(context, document, { language, now, signal }) {
      const info = await signaturesInfo(context, document, now)
      return context.renditions.make('printerFriendly', [document.current_digest], { info, language }, { signal })
    },
  },
  SignaturesManifest: {
    suffix: 'manifest',
    async make(context, document, { language, now, signal }) {
      const info = await signaturesInfo(context, document, now)
      return context.renditions.make('signaturesManifest', [], { info, language }, { signal })
    },
  },
} as const satisfies Record<string, Rendition>

async function marked(
  { store, renditions }: Context,
  { id, original_digest }: DocumentRow,
  { signal }: Reader,
  on: 'pages' | 'blank',
  isShown: (participant: ParticipantRow) => boolean,
): Promise<Buffer> {
  const marks = (await flowOf(store.db, id)).flatMap((step) => marksIn(step, isShown))
  return renditions.make('drawMarks', [original_digest], { marks, on }, { signal })
}

function marksIn(
  { action, participants }: FlowStep,
  isShown: (participant: ParticipantRow) => boolean,
): LabelledMark[] {
  const marks = signersMarks(JSON.parse(action.options) as ActionOptions)
  const shown = participants.filter(isShown)
  if (shown.length === 0) return []
  const label = action.rule_name ?? shown.map(({ name }) => name).join(', ')
  return marks.map(({ pageNumber, topLeftX, topLeftY, width, height, fontSize }) => ({
    label,
    topLeftX,
    topLeftY,
    width,
    height,
    ...(action.title !== null && { detail: action.title }),
    ...(pageNumber && { pageNumber }),
    ...(fontSize && { fontSize }),
  }))
}

async function signaturesInfo(context: Context, document: DocumentRow, now: Date): Promise<SignaturesInfo> {
  const { db } = context.store
  const all = { signatures: db.selectFrom('signature'), timeline: db.selectFrom('timeline') }
  const [organization, steps, signatures, timeline] = await Promise.all([
    findOrganization(db, document.organization_id),
    flowOf(db, document.id),
    all.signatures.selectAll().where('document_id', '=', document.id).orderBy('at').orderBy('id').execute(),
    all.timeline.selectAll().where('document_id', '=', document.id).orderBy('at').orderBy('id').execute(),
  ])
  const concluded = timeline.findLast(({ type }) => type === 'Concluded')
  return {
    documentName: document.name,
    key: document.key,
    verificationUrl: `${context.publicUrl}/validate/${document.key}`,
    status: document.status,
    organizationName: organization?.name ?? '',
    createdBy: document.created_by_name,
    createdAt: new Date(document.created_at),
    ...(concluded && { concludedAt: new Date(concluded.at) }),
    ...(document.expires_at !== null && { expiresAt: new Date(document.expires_at) }),
    originalDigest: document.original_digest,
    participants: steps.flatMap((step) => step.participants.map((each) => participantInfo(step, each, signatures))),
    events: timeline.flatMap(eventOf),
    timeZone: organization?.time_zone ?? context.settings.Documents.DefaultTimeZone,
    generatedAt: now,
  }
}

function participantInfo(
  { action }: FlowStep,
  participant: ParticipantRow,
  signatures: readonly SignatureRow[],
): ParticipantInfo {
  const signature = signatures.find(({ participant_id }) => participant_id === participant.id)
  const { ipAddress } = (signature ? JSON.parse(signature.evidences) : {}) as { ipAddress?: string }
  const actedAt = participant.completed_at ?? participant.refused_at
  const how = signature && meansOf(signature)
  return {
    role: actionKinds[action.type].signs ? 'Signer' : 'Approver',
    name: participant.name,
    status: participant.completed_at ? 'Completed' : participant.refused_at ? 'Refused' : openStatus(action.status),
    ...(participant.identifier !== null && { identifier: participant.identifier }),
    ...(participant.email !== null && { email: participant.email }),
    ...(action.title !== null && { title: action.title }),
    ...(action.rule_name !== null && { ruleName: action.rule_name }),
    ...(actedAt !== null && { actedAt: new Date(actedAt) }),
    ...(how && { how }),
    ...(ipAddress !== undefined && { ipAddress }),
    ...(participant.refusal_reason !== null && { refusalReason: participant.refusal_reason }),
  }
}

/** Status of a participant who has not acted; a rule's action may have ended without them. */
const openStatus = (status: FlowStep['action']['status']): 'Created' | 'Pending' =>
  status === 'Created' ? 'Created' : 'Pending'

function meansOf({ kind, certificate, evidences }: SignatureRow): ActMethod | undefined {
  if (kind === 'approval' || certificate === null) return undefined
  if (kind === 'electronic') {
    const { authenticationTypes } = JSON.parse(evidences) as { authenticationTypes: readonly string[] }
    return { kind, confirmedBy: authenticationTypes.includes('Email') ? 'EmailCode' : 'Ticket' }
  }
  const { issuer, serialNumberHex } = Certificate.read(Buffer.from(certificate, 'base64'))
  return { kind, issuer: issuer.commonName ?? issuer.toString(), serialNumber: serialNumberHex }
}

/** The timeline events that everybody may see. */
const shownEvents: Partial<Record<TimelineType, TimelineEvent['type']>> = {
  Created: 'Created',
  Signed: 'Signed',
  SignedElectronically: 'Signed',
  Approved: 'Approved',
  Refused: 'Refused',
  Canceled: 'Canceled',
  Expired: 'Expired',
  Concluded: 'Concluded',
  NewVersion: 'VersionAdded',
  FlowEdited: 'FlowEdited',
}

function eventOf({ type, at, agent_name, detail }: TimelineRow): TimelineEvent[] {
  const told = shownEvents[type as TimelineType]
  if (!told) return []
  return [
    {
      at: new Date(at),
      type: told,
      ...(agent_name !== null && { actor: agent_name }),
      ...(detail !== null && { detail }),
    },
  ]
}
