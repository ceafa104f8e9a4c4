import Type from 'typebox'

const tags = ['Pipeline']

const Time = Type.Union([Type.String({ description: 'ISO 8601 UTC.' }), Type.Null()])
const Text = Type.Union([Type.String(), Type.Null()])

const PipelineState = Type.Object(
  {
    paused: Type.Boolean(),
    pausedAtUtc: Time,
    resumedAtUtc: Time,
    pausedBy: Text,
    reason: Text,
    selfPaused: Type.Union([
      Type.Object({ sinceUtc: Type.String({ description: 'ISO 8601 UTC.' }), reason: Type.String() }),
      Type.Null(),
    ]),
    heldProfiles: Type.Array(Type.String(), { description: 'Names of the profiles whose jobs wait.' }),
    maxConcurrency: Type.Integer(),
    jobsInFlight: Type.Integer(),
    jobsInFlightByFormat: Type.Object({
      pades: Type.Integer(),
      cades: Type.Integer(),
      xades: Type.Integer(),
      total: Type.Integer(),
    }),
  },
  { $id: 'PipelineState' },
)

const Reason = Type.Optional(
  Type.Object({
    reason: Type.Optional(Type.Union([Type.String({ description: 'At most 512 characters.' }), Type.Null()])),
  }),
)

const transition = {
  method: 'POST',
  tags,
  policy: 'Actions',
  body: Reason,
  answer: PipelineState,
  refusals: ['pipeline.race-lost', 'validation.reason-too-long'],
} as const

export const pausePipeline = {
  ...transition,
  path: '/api/pipeline/pause',
  summary: 'Stops picking up jobs; those in flight finish. Answers the state, also when already paused.',
} as const

export const resumePipeline = {
  ...transition,
  path: '/api/pipeline/resume',
  summary: 'Picks up jobs again. Answers the state, also when not paused.',
} as const

export const pipelineState = {
  method: 'GET',
  path: '/api/pipeline/state',
  summary: 'Whether the pipeline is paused, and what is in flight.',
  tags,
  policy: 'Actions',
  answer: PipelineState,
} as const
