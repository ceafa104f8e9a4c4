import { describe, expect, it } from 'vitest'
import { brokenBy, type Call, type FinalFile, type FinalJob, type History, type Promised } from './check-history.ts'

const job = (more: Partial<FinalJob> = {}): FinalJob => ({
  id: 'j1',
  fileName: 'a.rem',
  status: 'Completed',
  code: null,
  required: 2,
  contentSha256: 'aa',
  recorded: [
    { email: 'ana', decision: 'approved' },
    { email: 'bruno', decision: 'approved' },
  ],
  isPending: false,
  ...more,
})

const file = (more: Partial<FinalFile> = {}): FinalFile => ({
  name: 'a.rem',
  sha256: 'aa',
  signed: ['aa'],
  handedBack: [],
  isInInput: false,
  isInError: false,
  ...more,
})

const call = (email: string, more: Partial<Call> = {}): Call => ({
  jobId: 'j1',
  email,
  decision: 'approved',
  status: 200,
  ...more,
})

const fine: History = {
  calls: [call('ana'), call('bruno', { released: true })],
  jobs: [job()],
  files: [file()],
}

const kinds = (more: Partial<History>) => brokenBy({ ...fine, ...more }).map(({ kind }) => kind)

const rejected = { email: 'carla', decision: 'rejected' } as const

/** One history for each promise that it breaks. */
const brokenHistories: Readonly<Record<Promised, Partial<History>>> = {
  'signed without a quorum': { jobs: [job({ required: 3 })] },
  'signed though rejected': { calls: [...fine.calls, call('carla', { decision: 'rejected' })] },
  'signed other bytes': { files: [file({ signed: ['bb'] })] },
  'approved other bytes': { jobs: [job({ contentSha256: 'bb' })] },
  'handed back other bytes': { files: [file({ signed: [], handedBack: ['bb'] })] },
  'decided twice': { calls: [...fine.calls, call('ana')] },
  'decision lost': { calls: [...fine.calls, call('davi')] },
  'decision invented': { calls: [call('ana')] },
  'released twice, or not by the quorum': {
    calls: [call('ana', { released: true }), call('bruno', { released: true })],
  },
  'rejected, but not ended': { jobs: [job({ status: 'AwaitingApproval', recorded: [rejected] })] },
  'delivered twice': { files: [file({ handedBack: ['aa'] })] },
  lost: { files: [file({ signed: [] })] },
  hung: { jobs: [job({ status: 'Queued' })] },
}

describe('the checker of the proof of approvals', () => {
  it('finds nothing in a history in which every promise was kept', () => {
    expect(kinds({})).toEqual([])
  })

  it.each(Object.entries(brokenHistories))('finds: %s', (kind, history) => {
    expect(kinds(history)).toContain(kind)
  })

  it('a decision whose answer was lost may or may not be in the record', () => {
    const { status: _, ...lost } = call('carla')
    expect(kinds({ calls: [...fine.calls, lost] })).toEqual([])
    expect(kinds({ calls: [call('ana'), { ...lost, email: 'bruno' }] })).toEqual([])
  })
})
