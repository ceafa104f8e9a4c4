// The approver portal: for approvers in a browser, not part of the reference.
import Type, { type TSchema } from 'typebox'

export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

export const Time = Type.String({ description: 'ISO 8601 UTC.' })

export const portal = { access: 'approver', hidden: true } as const

/** Where the caller stands with the second factor in this browser. */
const SecondFactor = Type.Object({
  enabled: Type.Boolean(),
  enrolled: Type.Boolean(),
  verifiedUntil: orNull(Time),
  lockedUntil: orNull(Time),
})

export const readApprover = {
  ...portal,
  method: 'GET',
  path: '/approvals/api/me',
  summary: 'Who the caller is to the portal.',
  answer: Type.Object({
    email: Type.String(),
    name: orNull(Type.String({ description: 'As a pool names them now; null once none does.' })),
    method: Type.String({ description: 'LinkDerivedEmail or IdpEmail.' }),
    pollSeconds: Type.Number({ description: 'How often pages look for news.' }),
    timeZone: Type.String({ description: 'Where the days of the site begin and end.' }),
    signatureWays: Type.Array(Type.Enum(['file', 'cloud', 'token']), {
      description: 'Where the key of a certificate may be: in a file, at a provider, in a token.',
    }),
    secondFactor: SecondFactor,
  }),
} as const

/** What the caller changes; limited apart from what operators do. */
export const change = { ...portal, policy: 'Portal' } as const

/** What the prompt for a code shows. */
const Verdict = Type.Object({
  verified: Type.Boolean(),
  until: orNull(Time),
  code: orNull(
    Type.String({ description: '`approval.second-factor-invalid-code` or `approval.second-factor-locked-out`.' }),
  ),
  lockedUntil: orNull(Time),
})

const Code = Type.String({ maxLength: 32, description: 'Six digits, as the app shows them.' })

export const beginFactor = {
  ...change,
  method: 'POST',
  path: '/approvals/api/second-factor',
  summary: 'Begins to enrol an authenticator app; nothing is stored before a code of it was given.',
  answer: Type.Object({
    secret: Type.String({ description: 'Base32, to type into the app.' }),
    uri: Type.String({ description: 'The same as an otpauth URI, to scan.' }),
    enrolment: Type.String({ description: 'To be sent back with the code, from this browser.' }),
    until: Time,
  }),
  refusals: ['approval.second-factor-not-enrolled', 'approval.second-factor-already-enrolled'],
} as const

export const confirmFactor = {
  ...change,
  method: 'PUT',
  path: '/approvals/api/second-factor',
  summary: 'Stores the authenticator app, given a code of it; decisions can be made from then on.',
  body: Type.Object({ enrolment: Type.String({ maxLength: 4096 }), code: Code }),
  answer: Verdict,
  refusals: [
    'approval.second-factor-not-enrolled',
    'approval.second-factor-already-enrolled',
    'approval.second-factor-enrolment-expired',
  ],
} as const

export const verifyFactor = {
  ...change,
  method: 'POST',
  path: '/approvals/api/second-factor/verify',
  summary: 'Gives a code; decisions can be made in this browser for a while.',
  body: Type.Object({ code: Code }),
  answer: Verdict,
  refusals: ['approval.second-factor-not-enrolled'],
} as const

const Count = Type.Integer({ minimum: 0 })

const List = Type.Enum(['needs-you', 'waiting-on-others', 'decided'])

const Tally = Type.Object({
  required: Count,
  poolSize: Count,
  approved: Count,
  rejected: Count,
  outstanding: Count,
  quorumReached: Type.Boolean(),
  vetoed: Type.Boolean(),
})

const OwnDecision = Type.Object({ decision: Type.String(), reason: orNull(Type.String()), decidedAt: Time })

const row = {
  jobId: Type.String(),
  fileName: Type.String(),
  profile: Type.String(),
  status: orNull(Type.String({ description: 'Null once retention has deleted the job.' })),
  totalCentavos: orNull(Count),
  totalFormatted: orNull(Type.String()),
  paymentCount: orNull(Count),
  cancellationCount: orNull(Count),
  largestCentavos: orNull(Count),
  payerName: orNull(Type.String()),
  payerId: orNull(Type.String()),
  tally: Tally,
  parkedSince: Time,
  expiresAt: orNull(Time),
  signatureRequired: Type.Boolean({ description: 'Whether approving it is done by signing it.' }),
  ownDecision: orNull(OwnDecision),
}

export const listPortal = {
  ...portal,
  method: 'GET',
  path: '/approvals/api/lists/{list}',
  summary: 'The files that the caller decides about, decided about while others still do, or decided about.',
  params: Type.Object({ list: List }),
  answer: Type.Object({
    items: Type.Array(Type.Object(row)),
    cut: Type.Boolean({ description: 'Whether there are more than are listed.' }),
  }),
} as const

export const readPortalJob = {
  ...portal,
  method: 'GET',
  path: '/approvals/api/jobs/{id}',
  summary: 'One file that waits or waited for approval, with its payments.',
  description: 'Whoever its pool does not name sees identifiers and accounts masked, and not who decides.',
  answer: Type.Object({
    ...row,
    isMember: Type.Boolean({ description: 'Whether the pool of the job names the caller.' }),
    mayDecide: Type.Boolean(),
    contentSha256: orNull(Type.String()),
    contentLength: orNull(Type.Number()),
    earliestPaymentDate: orNull(Type.String()),
    latestPaymentDate: orNull(Type.String()),
    dateWarning: orNull(
      Type.Enum(['will-fail', 'will-be-signed', 'unknown-profile'], {
        description:
          'What comes of a file that waits and whose first payment date has passed, by its profile as it is now.',
      }),
    ),
    pool: Type.Array(
      Type.Object({
        name: Type.String(),
        isYou: Type.Boolean(),
        decision: orNull(Type.String()),
        reason: orNull(Type.String()),
        decidedAt: orNull(Time),
      }),
    ),
    payments: orNull(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
  }),
  refusals: ['job.not-found'],
} as const

export const Reason = Type.Optional(orNull(Type.String({ description: 'At most 512 characters.' })))

const Decided = Type.Object({
  jobId: Type.String(),
  ok: Type.Boolean(),
  code: orNull(Type.String({ description: 'Why it was not recorded.' })),
  released: Type.Boolean({ description: 'Whether this was the last approval it waited for.' }),
})

const decisionRefusals = [
  'job.not-found',
  'approval.job-incomplete',
  'approval.not-pending',
  'approval.unknown-approver',
  'approval.already-decided',
  'approval.second-factor-required',
  'validation.reason-too-long',
] as const

export const approveOne = {
  ...change,
  method: 'POST',
  path: '/approvals/api/jobs/{id}/approve',
  summary: 'Approves one file.',
  body: Type.Optional(Type.Object({ reason: Reason })),
  answer: Decided,
  refusals: [...decisionRefusals, 'approval.signature-required'],
} as const

export const rejectOne = {
  ...change,
  method: 'POST',
  path: '/approvals/api/jobs/{id}/reject',
  summary: 'Rejects one file, whatever others decided.',
  body: Type.Optional(Type.Object({ reason: Reason })),
  answer: Type.Object({
    jobId: Type.String(),
    terminated: Type.Boolean({ description: 'False when a worker had the file already: it fails before the key.' }),
  }),
  refusals: decisionRefusals,
} as const

export const approveMany = {
  ...change,
  method: 'POST',
  path: '/approvals/api/approve',
  summary: 'Approves many files: every one is tried, and has its own result.',
  body: Type.Object({ ids: Type.Array(Type.String(), { minItems: 1, maxItems: 200 }) }),
  answer: Type.Object({ results: Type.Array(Decided) }),
  refusals: ['approval.second-factor-required'],
} as const

/** What a signing approver is shown instead: these codes are never answers of their own (spec 2, Errors). */
const Shown = orNull(
  Type.Object({
    code: Type.String({
      description: 'One of the codes of certificates and signatures, such as `approval.certificate-invalid`.',
    }),
    message: Type.String({ description: 'In the language of the reader.' }),
  }),
)

const Base64 = (most: number, description: string) =>
  Type.String({ maxLength: most, contentEncoding: 'base64', description })

export const signatureRefusals = [
  ...decisionRefusals.filter((code) => code !== 'approval.second-factor-required'),
  'service.busy',
] as const

const SIGNATURE = '/approvals/api/jobs/{id}/signature'

export const beginSignature = {
  ...change,
  method: 'POST',
  path: SIGNATURE,
  summary: 'Judges the certificate of the caller, and says what its key has to sign to approve the file.',
  body: Type.Object({
    certificate: Base64(32_768, 'X.509, DER.'),
    chain: Type.Optional(Type.Array(Base64(32_768, 'An issuer, DER.'), { maxItems: 10 })),
  }),
  answer: Type.Object({
    toMake: orNull(
      Type.Object({
        token: Type.String({ description: 'To be sent back with the signature.' }),
        toSign: Type.String({ description: 'Base64: the bytes that are signed.' }),
        digest: Type.String({ description: 'Base64: their digest, for keys that are given one.' }),
        digestAlgorithm: Type.String(),
        contentSha256: Type.String({ description: 'Of the file, as the page shows it.' }),
        expiresAt: Time,
      }),
    ),
    shown: Shown,
  }),
  refusals: signatureRefusals,
} as const

export const completeSignature = {
  ...change,
  method: 'PUT',
  path: SIGNATURE,
  summary: 'Approves the file with the signature that was made.',
  description: 'Needs no code of an authenticator app: the signature is the second factor.',
  body: Type.Object({
    token: Type.String({ maxLength: 131_072 }),
    signature: Base64(8_192, 'RSA, or ECDSA as browsers make it: r and s side by side.'),
    reason: Reason,
  }),
  answer: Type.Object({ approved: orNull(Decided), shown: Shown }),
  refusals: signatureRefusals,
} as const

/** An attempt that ended in the browser. */
export const endSignature = {
  ...change,
  method: 'POST',
  path: `${SIGNATURE}/ended`,
  summary: 'Counts a signature that was not made.',
  body: Type.Object({ outcome: Type.Enum(['abandoned', 'browser-failed']) }),
  status: 204,
  refusals: ['job.not-found'],
} as const

/** The spreadsheet of a list (spec 2, Endpoints). */
export const exportPortal = {
  method: 'GET',
  path: '/approvals/export/{list}',
  summary: 'A list of the portal as a spreadsheet.',
  description: '`list` is `needs-you`, `waiting-on-others` or `decided`. Takes the session of an approver alone.',
  tags: ['Approvals'],
  access: 'approver',
  policy: 'Export',
  params: Type.Object({ list: List }),
  produces: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
