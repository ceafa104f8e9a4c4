// Activity: live sessions, the log of signatures, PIN lockouts, figures for the first page.
import { Count, Id, Notice, orNull, pageOf, paging, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'
import { certificateStatuses, custodies } from './common.ts'

/** State of a signature; the table of moves is in `rules/signature-states.ts`. */
export const signatureStates = ['Sending', 'Accepted', 'Signed', 'Canceled', 'Failed', 'Unknown'] as const

const LiveSession = Type.Object(
  {
    id: Type.String({ description: 'Names the session here; it is not its sessionId, which nobody can read.' }),
    cpf: Text,
    subjectName: Text,
    custody: Type.Enum([...custodies]),
    workstation: orNull(Text),
    application: Text,
    createdAt: Text,
    expiresAt: Text,
    signatures: Count,
    allowance: orNull(Count),
  },
  { $id: 'LiveSession' },
)

export const listSessions = {
  method: 'GET',
  path: '/api/sessions',
  summary: 'Live sessions, without their ids and secrets.',
  tags: ['Sessions'],
  query: Type.Object({ ...paging, cpf: Type.Optional(Type.String({ maxLength: 14 })) }),
  answer: pageOf(LiveSession),
  access: 'sessions.read',
} as const

export const endSession = {
  method: 'DELETE',
  path: '/api/sessions/{id}',
  summary: 'Ends a session and drops the secret it rested on.',
  tags: ['Sessions'],
  access: 'sessions.end',
  refusals: ['SESSION_NOT_FOUND'],
} as const

/** Entries of the history: a session that was opened, or an attempt that was refused. */
const historyKinds = ['session', 'attempt'] as const

const HistoryEntry = Type.Object(
  {
    id: Id,
    kind: Type.Enum([...historyKinds]),
    at: Text,
    cpf: Text,
    application: Text,
    address: orNull(Type.String({ description: 'Of the client; null where an earlier version opened the session.' })),
    correlationId: orNull(Text),
    code: orNull(Type.String({ description: 'The refusal of an attempt; null for a session.' })),
    session: orNull(
      Type.Object(
        {
          subjectName: Text,
          custody: Type.Enum([...custodies]),
          workstation: orNull(Text),
          signatures: Count,
          endedAt: orNull(Text),
          endReason: orNull(Type.String({ description: 'Why it ended, as a code; null while it is live.' })),
        },
        { description: 'What became of it; null for an attempt.' },
      ),
    ),
  },
  { $id: 'HistoryEntry' },
)

export const listHistory = {
  method: 'GET',
  path: '/api/session-history',
  summary: 'Sessions that were opened and attempts that were refused, newest first.',
  tags: ['Sessions'],
  query: Type.Object({
    ...paging,
    cpf: Type.Optional(Type.String({ maxLength: 14 })),
    application: Type.Optional(Type.String({ maxLength: 200, description: 'Part of its name.' })),
    kind: Type.Optional(Type.Enum([...historyKinds])),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time' })),
  }),
  answer: pageOf(HistoryEntry),
  access: 'sessions.read',
} as const

const LoggedSignature = Type.Object(
  {
    id: Id,
    startedAt: Text,
    endedAt: orNull(Text),
    cpf: Text,
    application: Text,
    fileName: Text,
    bytes: Count,
    sha256: Text,
    custody: Type.Enum([...custodies]),
    state: Type.Enum([...signatureStates]),
    signatureId: orNull(Text),
    code: orNull(Type.String({ description: 'Of the error, where one ended it.' })),
    detail: orNull(Text),
    batchId: orNull(Id),
    correlationId: Text,
  },
  { $id: 'LoggedSignature' },
)

export const listSignatures = {
  method: 'GET',
  path: '/api/signatures',
  summary: 'The log of signatures, newest first; documents themselves are not kept.',
  tags: ['Signatures'],
  query: Type.Object({
    ...paging,
    cpf: Type.Optional(Type.String({ maxLength: 14 })),
    state: Type.Optional(Type.Enum([...signatureStates])),
    signatureId: Type.Optional(Id),
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time' })),
  }),
  answer: pageOf(LoggedSignature),
  access: 'signatures.read',
} as const

const Lockout = Type.Object(
  { cpf: Text, failures: Count, locked: Type.Boolean(), lastFailureAt: Text, clearsAt: orNull(Text) },
  { $id: 'Lockout' },
)

export const listLockouts = {
  method: 'GET',
  path: '/api/lockouts',
  summary: 'CPFs with wrong PINs in the window, locked ones first.',
  tags: ['Lockouts'],
  answer: Type.Array(Lockout),
  access: 'lockouts.read',
} as const

export const clearLockout = {
  method: 'DELETE',
  path: '/api/lockouts/{cpf}',
  summary: 'Forgets the wrong PINs of a CPF.',
  tags: ['Lockouts'],
  access: 'lockouts.clear',
  refusals: ['LOCKOUT_NOT_FOUND'],
} as const

export const readOverview = {
  method: 'GET',
  path: '/api/overview',
  summary: 'Figures for the first page.',
  tags: ['Overview'],
  query: Type.Object({
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Where today begins for whoever asks. Default: midnight, UTC.' }),
    ),
  }),
  answer: Type.Object({
    liveSessions: Count,
    workstations: Type.Object({ online: Count, offline: Count, waiting: Count }),
    certificates: Type.Object(Object.fromEntries(certificateStatuses.map((status) => [status, Count]))),
    expiringSoon: Type.Integer({ minimum: 0, description: 'Certificates that end within thirty days.' }),
    signaturesToday: Type.Object({ signed: Count, failed: Count }),
    lockedCpfs: Count,
    signer: Type.Object({ endpoint: Text, reachable: Type.Boolean() }),
    allowance: orNull(Count),
    notices: Type.Array(Notice, { description: 'What operators are told of, as of now.' }),
  }),
  access: 'overview.read',
} as const
