import { expect, test } from 'vitest'
import { CallFailure } from '../../shared/api/request.ts'
import { type FileState, runUploads } from './upload-queue.ts'

const refusal = (code: string, retryAfterSeconds?: number) =>
  new CallFailure({
    kind: 'refused',
    problem: { status: 400, code, title: '', requestId: undefined, errors: {}, details: {}, retryAfterSeconds },
  })

/** Answers by a script per file, and records the states of each. */
function scripted(answers: Record<string, (string | CallFailure)[]>) {
  const told: [number, FileState][] = []
  const pauses: number[] = []
  let stopped = false
  const world = {
    send: async (name: string) => {
      const answer = answers[name]!.shift()!
      if (answer instanceof CallFailure) throw answer
      return answer
    },
    pause: async (seconds: number) => void pauses.push(seconds),
    isStopped: () => stopped,
    onState: (index: number, state: FileState) => void told.push([index, state]),
  }
  return { world, told, pauses, stop: () => (stopped = true) }
}

test('files are sent one after the other, and a refusal of one leaves the others alone', async () => {
  const refused = refusal('upload.empty')
  const { world, told } = scripted({ a: ['job-a'], b: [refused], c: ['job-c'] })
  await runUploads(['a', 'b', 'c'], world)
  expect(told).toEqual([
    [0, { kind: 'sending', share: 0 }],
    [0, { kind: 'accepted', jobId: 'job-a' }],
    [1, { kind: 'sending', share: 0 }],
    [1, { kind: 'refused', error: refused }],
    [2, { kind: 'sending', share: 0 }],
    [2, { kind: 'accepted', jobId: 'job-c' }],
  ])
})

test('too many requests are waited out for as long as the service says, and the same file is sent again', async () => {
  const { world, told, pauses } = scripted({ a: [refusal('rate-limited', 17), refusal('rate-limited'), 'job-a'] })
  await runUploads(['a'], world)
  expect(pauses).toEqual([17, 5])
  expect(told).toContainEqual([0, { kind: 'delayed', seconds: 17 }])
  expect(told.at(-1)).toEqual([0, { kind: 'accepted', jobId: 'job-a' }])
})

test('after a stop nothing more is sent', async () => {
  const { world, told, stop } = scripted({ a: ['job-a'], b: ['job-b'] })
  stop()
  await runUploads(['a', 'b'], world)
  expect(told).toEqual([
    [0, { kind: 'stopped' }],
    [1, { kind: 'stopped' }],
  ])
})
