import { describe, expect, test } from 'vitest'
import type { SessionServerSettings } from '../../settings.ts'
import type { CertificateRow } from '../../store/tables.ts'
import { WorkstationPins } from './workstation-pins.ts'
import type { OfferAnswer, OfferedPin, PromptAnswer, PromptReason, Workstations } from './workstations.ts'

const row = (workstation_id: string, fingerprint: string) => ({ workstation_id, fingerprint }) as CertificateRow

/** Ana has two certificates at one machine and one at another. */
const rows = [row('office', 'a'), row('office', 'b'), row('home', 'c')]

interface Script {
  readonly offline?: readonly string[]
  readonly offer?: (offer: OfferedPin) => OfferAnswer | Promise<OfferAnswer>
  readonly prompt?: (
    offer: OfferedPin,
    signal: AbortSignal,
    reason: PromptReason,
  ) => PromptAnswer | Promise<PromptAnswer>
}

/** Workstations with scripted answers; real agents are covered by other tests. */
function saying({ offline = [], offer = () => ({ kind: 'no-pin' }), prompt = () => ({ kind: 'declined' }) }: Script) {
  const offered: OfferedPin[] = []
  const prompted: OfferedPin[] = []
  const workstations = {
    isOnline: (id: string) => !offline.includes(id),
    offerPin: async (given: OfferedPin) => {
      offered.push(given)
      return offer(given)
    },
    prompt: async (given: OfferedPin, reason: PromptReason, signal: AbortSignal) => {
      prompted.push(given)
      return prompt(given, signal, reason)
    },
  } as Partial<Workstations> as Workstations
  const settings = { Pin: { PromptSeconds: 60, MaxPrompts: 2 } } as SessionServerSettings
  const pins = new WorkstationPins(workstations, settings)
  const confirm = (signal: AbortSignal = new AbortController().signal) =>
    pins.confirm(rows, { cpf: '52998224725', pin: '1234', application: 'Prontuário', sessionSeconds: 900 }, signal)
  return { offered, prompted, confirm }
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<PromptAnswer>((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'unreachable' })))

describe('a PIN and the workstations', () => {
  test('is offered at once for every certificate at a workstation, each for itself', async () => {
    const { offered, confirm } = saying({ offer: () => ({ kind: 'differs' }) })
    expect(await confirm()).toEqual({ kind: 'differs' })
    expect(offered).toEqual([
      { workstationId: 'office', fingerprints: ['a'], pin: '1234' },
      { workstationId: 'office', fingerprints: ['b'], pin: '1234' },
      { workstationId: 'home', fingerprints: ['c'], pin: '1234' },
    ])
  })

  test('the first that confirms binds; nobody else is waited for', async () => {
    const { confirm, prompted } = saying({
      offer: ({ workstationId }) =>
        workstationId === 'office' ? { kind: 'confirmed', fingerprint: 'b' } : new Promise(() => {}),
    })
    expect(await confirm()).toEqual({ kind: 'confirmed', row: rows[1] })
    expect(prompted).toEqual([])
  })

  test('a certificate that was not offered there confirms nothing', async () => {
    const { confirm } = saying({ offer: () => ({ kind: 'confirmed', fingerprint: 'x' }) })
    expect((await confirm()).kind).not.toBe('confirmed')
  })

  test('the holder is asked where no PIN is in use, and only where somebody is', async () => {
    const { confirm, prompted, offered } = saying({
      offline: ['home'],
      prompt: (_offer, _signal, reason) => {
        expect(reason).toEqual({ cpf: '52998224725', application: 'Prontuário', seconds: 60, sessionSeconds: 900 })
        return { kind: 'confirmed', fingerprint: 'a' }
      },
    })
    expect(await confirm()).toEqual({ kind: 'confirmed', row: rows[0] })
    expect(offered.map(({ workstationId }) => workstationId)).toEqual(['office', 'office'])
    expect(prompted).toEqual([{ workstationId: 'office', fingerprints: ['a', 'b'], pin: '1234' }])
  })

  test('the holder is asked at every workstation without a PIN in use, also where another has one that differs', async () => {
    const { confirm, prompted } = saying({
      offer: ({ workstationId }) => ({ kind: workstationId === 'home' ? 'differs' : 'no-pin' }),
      prompt: () => ({ kind: 'confirmed', fingerprint: 'b' }),
    })
    expect(await confirm()).toEqual({ kind: 'confirmed', row: rows[1] })
    expect(prompted.map(({ workstationId }) => workstationId)).toEqual(['office'])
  })

  test('of a workstation with two tokens the holder is asked for the one without a PIN in use', async () => {
    const { confirm, prompted } = saying({
      offer: ({ fingerprints: [one] }) => ({ kind: one === 'b' ? 'no-pin' : 'differs' }),
      prompt: () => ({ kind: 'differs' }),
    })
    expect(await confirm()).toEqual({ kind: 'differs' })
    expect(prompted).toEqual([{ workstationId: 'office', fingerprints: ['b'], pin: '1234' }])
  })

  test('the holder is asked everywhere at once; an answer takes the other questions back', async () => {
    let takenBack = false
    const { confirm } = saying({
      prompt: async ({ workstationId }, signal) => {
        if (workstationId === 'home') return { kind: 'confirmed', fingerprint: 'c' }
        signal.addEventListener('abort', () => {
          takenBack = true
        })
        return whenAborted(signal)
      },
    })
    expect(await confirm()).toEqual({ kind: 'confirmed', row: rows[2] })
    expect(takenBack).toBe(true)
  })

  test.each([
    [['differs', 'differs'], { kind: 'differs' }],
    [['differs', 'declined'], { kind: 'unanswered', guessed: true }],
    [['declined', 'timed-out'], { kind: 'unanswered', guessed: false }],
    [['not-shown', 'unreachable'], { kind: 'unanswered', guessed: false }],
  ] as const)('answers %s of the holder are %s', async ([office, home], answer) => {
    const { confirm } = saying({
      prompt: ({ workstationId }) => ({ kind: workstationId === 'office' ? office : home }),
    })
    expect(await confirm()).toEqual(answer)
  })

  test('is wrong only where it was compared everywhere: a workstation that is away may have the right one', async () => {
    const differs = () => ({ kind: 'differs' }) as const
    expect(await saying({ offline: ['home'], offer: differs }).confirm()).toEqual({ kind: 'offline', guessed: true })
    const silent = saying({
      offer: ({ workstationId }) => ({ kind: workstationId === 'home' ? 'unreachable' : 'differs' }),
    })
    expect(await silent.confirm()).toEqual({ kind: 'offline', guessed: true })
    const asked = saying({ offline: ['home'], prompt: differs })
    expect(await asked.confirm()).toEqual({ kind: 'offline', guessed: true })
  })

  test('where nobody is there, or nobody answers, the workstations are offline', async () => {
    const offline = { kind: 'offline', guessed: false }
    expect(await saying({ offline: ['office', 'home'] }).confirm()).toEqual(offline)
    expect(await saying({ offer: () => ({ kind: 'unreachable' }) }).confirm()).toEqual(offline)
  })

  test('a client that leaves takes the question back', async () => {
    const leaving = new AbortController()
    const { confirm } = saying({ prompt: (_offer, signal) => whenAborted(signal) })
    const answer = confirm(leaving.signal)
    setImmediate(() => leaving.abort())
    expect(await answer).toEqual({ kind: 'unanswered', guessed: false })
  })

  test('no more holders are asked at the same time than set', async () => {
    const leaving = new AbortController()
    const { confirm } = saying({ prompt: (_offer, signal) => whenAborted(signal) })
    const open = [confirm(leaving.signal), confirm(leaving.signal)]
    await expect(confirm()).rejects.toMatchObject({ code: 'SERVER_BUSY' })
    leaving.abort()
    await Promise.all(open)
    const later = new AbortController()
    const next = confirm(later.signal)
    setImmediate(() => later.abort())
    expect(await next).toEqual({ kind: 'unanswered', guessed: false })
  })
})
