import { describe, expect, test } from 'vitest'
import { type ApprovalRule, type ApprovalSurroundings, approvalProblems } from './approval-rule.ts'
import { expiryOf, memberOf, tallyOf } from './frozen-approval.ts'

const ana = { name: 'Ana Souza', email: 'ana@banco.example', cpf: '52998224725' }
const bruno = { name: 'Bruno Lima', email: 'bruno@banco.example', cpf: '11144477735' }

const rule: ApprovalRule = {
  minimumApprovers: 2,
  expiresAfterSeconds: 3600,
  signers: 'ProfileKey',
  approvers: [ana, bruno],
}
const around: ApprovalSurroundings = { format: 'Cades', method: 'Local', hasKey: true, isReachable: true }

const fields = (more: Partial<ApprovalRule>, with_: Partial<ApprovalSurroundings> = {}) =>
  approvalProblems({ ...rule, ...more }, { ...around, ...with_ }).map(({ field }) => field)

describe('the approval rule of a profile', () => {
  test.each<[string, Partial<ApprovalRule>, Partial<ApprovalSurroundings>]>([
    ['a quorum of the whole pool', {}, {}],
    ['one of many', { minimumApprovers: 1 }, {}],
    ['no expiry', { expiresAfterSeconds: null }, {}],
    ['approvers in place of a key', { signers: 'Approvers' }, { hasKey: false }],
    ['both', { signers: 'ProfileKeyAndApprovers' }, {}],
    ['a PDF that approvers do not sign', {}, { format: 'Pades' }],
    ['nobody reaches the portal where the decision comes by REST', {}, { isReachable: false }],
  ])('holds with %s', (_, more, with_) => expect(fields(more, with_)).toEqual([]))

  test.each<[string, Partial<ApprovalRule>, Partial<ApprovalSurroundings>, string[]]>([
    ['nobody in the pool', { approvers: [] }, {}, ['approvers', 'minimumApprovers']],
    ['more needed than there are', { minimumApprovers: 3 }, {}, ['minimumApprovers']],
    ['none needed', { minimumApprovers: 0 }, {}, ['minimumApprovers']],
    ['half a person needed', { minimumApprovers: 1.5 }, {}, ['minimumApprovers']],
    ['a wait of nothing', { expiresAfterSeconds: 0 }, {}, ['expiresAfter']],
    ['a wait longer than a date can hold', { expiresAfterSeconds: 1e15 }, {}, ['expiresAfter']],
    ['an approver without a name', { approvers: [ana, { ...bruno, name: ' ' }] }, {}, ['approvers']],
    ['an address without @', { approvers: [ana, { ...bruno, email: 'bruno' }] }, {}, ['approvers']],
    [
      'one address twice',
      { approvers: [ana, { ...bruno, email: 'ANA@banco.example ' }] },
      {},
      ['approvers', 'approvers'],
    ],
    ['one CPF twice', { approvers: [ana, { ...bruno, cpf: ana.cpf }] }, {}, ['approvers']],
    ['a CPF with wrong check digits', { approvers: [ana, { ...bruno, cpf: '11144477734' }] }, {}, ['approvers']],
    ['approvers who sign a PDF', { signers: 'Approvers' }, { format: 'Pades' }, ['signers']],
    ['approvers who sign and cannot come in', { signers: 'Approvers' }, { isReachable: false }, ['signers']],
    [
      'approvers who sign beside the external service',
      { signers: 'Approvers' },
      { method: 'ExternalSigner' },
      ['signers'],
    ],
    ['a key that is not there', {}, { hasKey: false }, ['signers']],
  ])('is refused with %s', (_, more, with_, expected) => expect(fields(more, with_)).toEqual(expected))
})

describe('a frozen rule', () => {
  const [yes, no] = [{ decision: 'approved' }, { decision: 'rejected' }] as const

  test.each([
    [[], { approved: 0, rejected: 0, outstanding: 2, quorumReached: false, vetoed: false }],
    [[yes], { approved: 1, outstanding: 1, quorumReached: false }],
    [[yes, yes], { approved: 2, outstanding: 0, quorumReached: true, vetoed: false }],
    [[yes, yes, yes], { approved: 3, outstanding: 0, quorumReached: true }],
    [[yes, yes, no], { rejected: 1, quorumReached: true, vetoed: true }],
  ])('counts people', (decisions, expected) =>
    expect(tallyOf(rule, decisions)).toMatchObject({ required: 2, poolSize: 2, ...expected }),
  )

  test('names its members by their address, however it is written, and nobody else', () => {
    const names = [' Ana@Banco.Example', 'bruno@banco.example', 'carla@banco.example', 'bruno', ''].map(
      (email) => memberOf(rule, email)?.name,
    )
    expect(names).toEqual([ana.name, bruno.name, undefined, undefined, undefined])
  })

  test('ends its wait by the wall clock, or never', () => {
    const parked = new Date('2026-03-02T12:00:00.000Z')
    expect(expiryOf(rule, parked)).toEqual(new Date('2026-03-02T13:00:00.000Z'))
    expect(expiryOf({ expiresAfterSeconds: null }, parked)).toBeUndefined()
  })
})
