import Type, { type TSchema } from 'typebox'

const tags = ['Approvals']

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Time = Type.String({ description: 'ISO 8601 UTC.' })
const Count = Type.Integer({ minimum: 0 })
const Signers = Type.Enum(['ProfileKey', 'Approvers', 'ProfileKeyAndApprovers'])
const Decision = Type.Enum(['approved', 'rejected'])
const MaskedCpf = Type.String({ description: 'With the check digits only.' })

/** How far a job has come with its approvers, by the rule that was frozen when it parked. */
export const ApprovalState = Type.Object(
  {
    required: Count,
    poolSize: Count,
    approved: Count,
    rejected: Count,
    outstanding: Count,
    quorumReached: Type.Boolean({ description: 'Also true of a job that was rejected afterwards.' }),
    vetoed: Type.Boolean(),
    frozenAt: Time,
    parkedSince: Time,
    expiresAt: orNull(Time),
    expiresAfterSeconds: orNull(Count),
    signers: Signers,
  },
  { $id: 'ApprovalState' },
)

/** The certificate of an approval by signature. */
const DecisionCertificate = Type.Object(
  {
    subject: Type.String({ description: 'A CPF in it is masked.' }),
    issuer: Type.String(),
    serialNumber: Type.String({ description: 'Upper-case hexadecimal.' }),
    thumbprintSha256: Type.String(),
    cpf: MaskedCpf,
    cnpj: orNull(Type.String()),
    cloudService: orNull(Type.String({ description: 'Null for a key on the approver’s own computer.' })),
  },
  { $id: 'DecisionCertificate' },
)

const RecordedDecision = Type.Object(
  {
    approverName: Type.String(),
    approverEmail: Type.String(),
    cpfMasked: MaskedCpf,
    decision: Decision,
    reason: orNull(Type.String()),
    identificationMethod: Type.Enum(['SelfDeclaredEmail', 'LinkDerivedEmail', 'IdpEmail']),
    decidedAt: Time,
    secondFactorVerifiedAt: orNull(Time),
    certificate: orNull(DecisionCertificate),
  },
  { $id: 'RecordedDecision' },
)

/** The approval record: the frozen rule, its pool, and the decisions (spec 2, Endpoints). */
export const readApprovals = {
  method: 'GET',
  path: '/api/jobs/{id}/approvals',
  summary: 'The approval record of a job that waited for approval.',
  description: 'Kept when retention deletes the job.',
  tags,
  answer: Type.Object(
    {
      jobId: Type.String(),
      rule: Type.Object({
        required: Count,
        poolSize: Count,
        signers: Signers,
        expiresAfterSeconds: orNull(Count),
        frozenAt: Time,
        contentSha256: orNull(Type.String()),
      }),
      pool: Type.Array(
        Type.Object({
          name: Type.String(),
          email: Type.String(),
          cpfMasked: MaskedCpf,
          decision: orNull(Decision),
        }),
      ),
      decisions: Type.Array(RecordedDecision, { description: 'The oldest first.' }),
    },
    { $id: 'ApprovalRecord' },
  ),
  refusals: ['job.not-found', 'approval.not-required'],
} as const

/** An approver's decision; anonymous by explicit decision of the specification. */
export const decideApproval = {
  method: 'POST',
  path: '/api/approvals/{id}',
  summary: 'Records the decision of an approver about a job that waits.',
  description:
    'The address is compared with the pool that was frozen when the job parked. One rejection ends the job, whatever the quorum; decisions are final.',
  tags,
  access: 'anonymous',
  policy: 'Approval',
  body: Type.Object(
    {
      // Of any length and with any letter: what is no address is nobody's, and answered so (spec 2, Errors).
      email: Type.String({ description: 'The address of the approver.' }),
      decision: Type.Optional(Type.String({ description: '`approved` (default) or `rejected`, in any case.' })),
      reason: Type.Optional(orNull(Type.String({ description: 'At most 512 characters.' }))),
    },
    { additionalProperties: false },
  ),
  answer: Type.Union([
    Type.Object(
      {
        jobId: Type.String(),
        approverName: Type.String(),
        approved: Count,
        required: Count,
        outstanding: Count,
        quorumMet: Type.Boolean(),
        released: Type.Boolean({ description: 'By this approval: the job is in the queue again.' }),
      },
      { $id: 'ApprovedJob' },
    ),
    Type.Object(
      {
        jobId: Type.String(),
        approverName: Type.String(),
        reason: orNull(Type.String()),
        terminated: Type.Boolean({
          description: 'False when a worker had the job already: it then fails before anything is signed.',
        }),
      },
      { $id: 'RejectedJob' },
    ),
  ]),
  refusals: [
    'approval.second-factor-required',
    'job.not-found',
    'approval.job-incomplete',
    'approval.not-pending',
    'approval.unknown-approver',
    'approval.unknown-decision',
    'approval.already-decided',
    'approval.signature-required',
    'validation.reason-too-long',
  ],
} as const

/** The same where approvers give codes: withdrawn, whatever is sent (spec 2, Authentication). */
export const withdrawnDecision = {
  method: 'POST',
  path: '/api/approvals/{id}',
  summary: 'Withdrawn: approvers decide in the portal, with a code.',
  tags,
  access: 'anonymous',
  policy: 'Approval',
  streamed: true,
  judgesMediaType: true,
  refusals: ['approval.second-factor-required'],
} as const
