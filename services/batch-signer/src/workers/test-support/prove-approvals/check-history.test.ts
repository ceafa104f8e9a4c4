import { describe, expect, it } from 'vitest'
import {
  brokenBy,
  type Call,
  type FinalFile,
  type FinalJob,
  type History,
  type Promised,
  type Recorded,
} from './check-history.ts'

const recorded = (email: string, more: Partial<Recorded> = {}): Recorded => ({
  email,
  decision: 'approved',
  thumbprint: null,
  hasCode: false,
  ...more,
})

const job = (more: Partial<FinalJob> = {}): FinalJob => ({
  id: 'j1',
  fileName: 'a.rem',
  status: 'Completed',
  code: null,
  required: 2,
  signers: 'ProfileKey',
  pool: ['ana', 'bruno', 'carla'],
  contentSha256: 'aa',
  recorded: [recorded('ana'), recorded('bruno')],
  isPending: false,
  ...more,
})

const file = (more: Partial<FinalFile> = {}): FinalFile => ({
  name: 'a.rem',
  sha256: 'aa',
  signed: ['aa'],
  signers: ['key'],
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
  thumbprints: { ana: 'of ana', bruno: 'of bruno' },
  profileThumbprint: 'key',
  asksForCodes: false,
  chain: [],
}

/** The same where approvers sign, besides the profile. */
const signedJob = (more: Partial<FinalJob> = {}) =>
  job({
    signers: 'ProfileKeyAndApprovers',
    recorded: [recorded('ana', { thumbprint: 'of ana' }), recorded('bruno', { thumbprint: 'of bruno' })],
    ...more,
  })

const signedFile = file({ signers: ['of bruno', 'key', 'of ana'] })

const kinds = (more: Partial<History>) => brokenBy({ ...fine, ...more }).map(({ kind }) => kind)

const rejected = recorded('carla', { decision: 'rejected' })

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
  'signed by others than the rule says': { jobs: [signedJob()], files: [file({ signers: ['of ana', 'key'] })] },
  'approved without a signature of their own': { jobs: [signedJob({ recorded: [recorded('ana')] })] },
  'forged signature taken': { calls: [...fine.calls, call('ana', { isForged: true })] },
  'decided without a code': { asksForCodes: true },
  'decided by somebody outside the frozen pool': { jobs: [job({ pool: ['ana', 'carla'] })] },
  'frozen rule changed': { jobs: [job({ seen: { required: 1, pool: ['ana', 'bruno', 'carla'] } })] },
  'rejected, but not ended': { jobs: [job({ status: 'AwaitingApproval', recorded: [rejected] })] },
  'delivered twice': { files: [file({ handedBack: ['aa'] })] },
  lost: { files: [file({ signed: [] })] },
  hung: { jobs: [job({ status: 'Queued' })] },
  'audit chain broken': { chain: ['link-missing 3'] },
}

describe('the checker of the proof of approvals', () => {
  it('finds nothing in a history in which every promise was kept', () => {
    expect(kinds({})).toEqual([])
  })

  it.each(Object.entries(brokenHistories))('finds: %s', (kind, history) => {
    expect(kinds(history)).toContain(kind)
  })

  it('finds signatures besides those of the rule, missing ones, and one that stands twice', () => {
    const signers = (...found: readonly string[]) => kinds({ jobs: [signedJob()], files: [file({ signers: found })] })
    expect(kinds({ jobs: [signedJob()], files: [signedFile] })).toEqual([])
    const wrong = 'signed by others than the rule says'
    for (const found of [[], ['key'], ['key', 'of ana', 'of ana'], ['key', 'of ana', 'of bruno', 'of eve']])
      expect(signers(...found)).toEqual([wrong])
    expect(kinds({ files: [file({ signers: ['key', 'of ana'] })] })).toEqual([wrong])
    const keyless = signedJob({ signers: 'Approvers' })
    expect(kinds({ jobs: [keyless], files: [signedFile] })).toEqual([wrong])
    expect(kinds({ jobs: [keyless], files: [file({ signers: ['of ana', 'of bruno'] })] })).toEqual([])
  })

  it('finds a certificate of somebody else in the record, a decision from a browser without a code, and another pool', () => {
    const other = [recorded('ana', { thumbprint: 'of bruno' }), recorded('bruno', { thumbprint: 'of bruno' })]
    expect(kinds({ jobs: [signedJob({ recorded: other })], files: [signedFile] })).toEqual([
      'approved without a signature of their own',
    ])
    const coded = [recorded('ana', { hasCode: true }), recorded('bruno', { hasCode: true })]
    const withCodes = { asksForCodes: true, jobs: [job({ recorded: coded })] }
    expect(kinds(withCodes)).toEqual([])
    expect(kinds({ asksForCodes: true, jobs: [signedJob()], files: [signedFile] })).toEqual([])
    const codeless = [call('ana', { isCodeless: true }), call('bruno')]
    expect(kinds({ ...withCodes, calls: codeless })).toEqual(['decided without a code'])
    expect(kinds({ jobs: [job({ seen: { required: 2, pool: ['ana', 'bruno'] } })] })).toEqual(['frozen rule changed'])
  })

  it('a decision whose answer was lost may or may not be in the record', () => {
    const { status: _, ...lost } = call('carla')
    expect(kinds({ calls: [...fine.calls, lost] })).toEqual([])
    expect(kinds({ calls: [call('ana'), { ...lost, email: 'bruno' }] })).toEqual([])
  })
})
