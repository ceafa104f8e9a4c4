import { describe, expect, test } from 'vitest'
import {
  asFlowActions,
  type DraftAction,
  type DraftFlow,
  draftOf,
  isComplete,
  isCpf,
  moveTo,
  newAction,
  nudge,
  personFaults,
  without,
} from './flow-draft.ts'

const person = { name: 'Ana Souza', identifier: '529.982.247-25', email: 'ana@example.com' }

const action = (key: string, over: Partial<DraftAction> = {}): DraftAction => ({
  ...newAction('Signer', key, 'Pt'),
  people: [person],
  ...over,
})

const flow: DraftFlow = [[action('a')], [action('b'), action('c')]]

const keys = (steps: DraftFlow) => steps.map((step) => step.map(({ key }) => key).join('')).join('|')

describe('cards of a flow', () => {
  test('are put into a step, where they run side by side, or between two as a step of their own', () => {
    expect(keys(moveTo(flow, 'a', { into: 1 }))).toBe('bca')
    expect(keys(moveTo(flow, 'c', { before: 0 }))).toBe('c|a|b')
    expect(keys(moveTo(flow, 'c', { before: 2 }))).toBe('a|b|c')
    expect(keys(moveTo(flow, 'gone', { before: 0 }))).toBe('a|bc')
  })

  test('walk through the steps with the arrows of the keyboard', () => {
    const out = nudge(flow, 'c', 1)
    expect(keys(out)).toBe('a|b|c')
    expect(keys(nudge(out, 'c', 1))).toBe('a|b|c')
    expect(keys(nudge(out, 'c', -1))).toBe('a|bc')
    expect(keys(nudge(flow, 'b', -1))).toBe('a|b|c')
    expect(keys(nudge(flow, 'a', 1))).toBe('bca')
  })

  test('leave no empty step behind', () => {
    expect(keys(without(flow, 'a'))).toBe('bc')
  })
})

describe('a participant', () => {
  test('who signs with a certificate needs a CPF; by code, an e-mail address is enough', () => {
    const noCpf = { ...person, identifier: '' }
    expect(personFaults(noCpf, action('a'))).toEqual([{ field: 'identifier', fault: 'missing' }])
    expect(personFaults(noCpf, action('a', { allowElectronic: true }))).toEqual([])
    expect(personFaults({ ...noCpf, email: '' }, action('a', { type: 'Approver' }))).toEqual([
      { field: 'email', fault: 'missing' },
    ])
  })

  test('is refused with a CPF or an address that cannot be', () => {
    const wrong = { name: ' ', identifier: '529.982.247-24', email: 'ana@@example' }
    expect(personFaults(wrong, action('a')).map(({ field }) => field)).toEqual(['name', 'identifier', 'email'])
    expect(isCpf('11111111111')).toBe(false)
    expect(isCpf('11144477735')).toBe(true)
  })

  test('who is incomplete keeps the flow from being sent', () => {
    expect(isComplete(flow)).toBe(true)
    expect(isComplete([])).toBe(false)
    expect(isComplete([[newAction('Signer', 'x', 'Pt')]])).toBe(false)
  })
})

describe('a flow', () => {
  test('is sent as actions with their steps, and what an approver has no use for is left out', () => {
    const mark = { pageNumber: 1, topLeftX: 10, topLeftY: 20, width: 180, height: 60 }
    const rule = action('r', { type: 'SignRule', people: [person, person], required: 2, ruleName: 'Diretoria' })
    const sent = asFlowActions([
      [action('a', { marks: [mark], certificateType: 'A3' })],
      [action('b', { type: 'Approver', marks: [mark] }), rule],
    ])
    expect(sent[0]).toMatchObject({
      type: 'Signer',
      step: 1,
      prePositionedMarks: [mark],
      requiredCertificateTypeToSign: 'A3',
    })
    expect(sent[1]).toEqual({ type: 'Approver', step: 2, user: person, notificationLanguage: 'Pt' })
    expect(sent[2]).toMatchObject({
      step: 2,
      ruleName: 'Diretoria',
      numberRequiredActions: 2,
      ruleUsers: [person, person],
    })
  })

  test('that was saved comes back as the same steps', () => {
    let made = 0
    const again = draftOf(asFlowActions(flow), () => `k${++made}`)
    expect(keys(again)).toBe('k1|k2k3')
    expect(asFlowActions(again)).toEqual(asFlowActions(flow))
  })

  test('that was saved with a rule comes back with all of its people', () => {
    const rule = { people: [person, { ...person, name: 'Rui Lima' }], required: 2, ruleName: 'Diretoria' }
    for (const type of ['SignRule', 'ApproverRule'] as const) {
      const saved = asFlowActions([[action('r', { ...rule, type })]])
      expect(draftOf(saved, () => 'k')[0]![0]).toMatchObject({ ...rule, type })
    }
  })
})
