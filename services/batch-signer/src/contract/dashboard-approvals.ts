import Type, { type TSchema } from 'typebox'

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

const Kept = Type.Enum(['right', 'altered', 'missing', 'unreadable', 'none'], {
  description: '`none`: the job has ended, and nothing is kept of it, or nothing was made yet.',
})

/** The inspector of an approval record (batch-signer facts 7). */
export const inspectApprovals = {
  hidden: true,
  method: 'GET',
  path: '/dashboard/api/jobs/{id}/approvals/inspection',
  summary: 'Measures the copy that people decide about, and the signatures that were collected, against the record.',
  policy: 'Actions',
  answer: Type.Object(
    {
      checkedAt: Type.String({ description: 'ISO 8601 UTC.' }),
      contentSha256: orNull(Type.String({ description: 'As it was frozen.' })),
      copy: Type.Object({ state: Kept, sha256: orNull(Type.String({ description: 'As measured now.' })) }),
      signatures: orNull(
        Type.Object({
          state: Kept,
          sha256: orNull(Type.String({ description: 'Of the file of the signatures, by the record.' })),
          signers: Type.Array(
            Type.Object({
              approverName: Type.String(),
              thumbprintSha256: orNull(Type.String()),
              isThere: Type.Boolean({ description: 'Whether the signature is in the file.' }),
            }),
          ),
          problems: Type.Array(Type.String({ description: 'In the language of the reader.' })),
        }),
      ),
      former: orNull(
        Type.Object({
          jobId: Type.String({ description: 'The job that this one retries.' }),
          isIdentical: Type.Boolean({ description: 'Whether people decided about the same bytes.' }),
          approved: Type.Integer({ description: 'How many approved that one; none of them counts here.' }),
        }),
      ),
    },
    { $id: 'ApprovalInspection' },
  ),
  refusals: ['job.not-found', 'approval.not-required'],
} as const
