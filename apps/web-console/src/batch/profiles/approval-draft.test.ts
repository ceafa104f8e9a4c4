import { expect, test } from 'vitest'
import {
  type Approval,
  approvalOf,
  approverFaults,
  hoursOf,
  isLongWait,
  newApproval,
  quorums,
  secondsOf,
  withApprover,
  withChanged,
  without,
} from './approval-draft.ts'

const ana = { name: 'Ana', email: 'ana@banco.example', cpf: '529.982.247-25' }
const bruno = { name: 'Bruno', email: 'bruno@banco.example', cpf: '111.444.777-35' }
const rule: Approval = { ...newApproval, minimumApprovers: 2, approvers: [ana, bruno] }

test('a stored rule is shown with the punctuation of its CPFs', () => {
  const approvers = [{ ...ana, cpf: '52998224725' }]
  expect(approvalOf({ approval: { ...rule, approvers } })).toEqual({ ...rule, approvers: [ana] })
  expect(approvalOf({ approval: null })).toBeNull()
})

test('approvers are added, changed and removed, and never more are needed than are left', () => {
  expect(withApprover(rule).approvers).toHaveLength(3)
  expect(withChanged(rule, 1, { name: 'B' }).approvers).toEqual([ana, { ...bruno, name: 'B' }])
  expect(without(rule, 0)).toEqual({ ...rule, minimumApprovers: 1, approvers: [bruno] })
  expect(without(without(rule, 0), 0)).toMatchObject({ minimumApprovers: 1, approvers: [] })
})

test('the whole pool may be needed, and what is stored is always offered', () => {
  expect(quorums(rule)).toEqual([1, 2])
  expect(quorums({ ...rule, approvers: [] })).toEqual([1, 2])
})

test('a wrong CPF and one person twice are told while they are typed, half a CPF is not', () => {
  const faults = (changes: Partial<typeof bruno>) => approverFaults(withChanged(rule, 1, changes), 1)
  expect(faults({})).toEqual({})
  expect(faults({ cpf: '111.444' })).toEqual({})
  expect(faults({ cpf: '111.444.777-36' })).toEqual({ cpf: 'wrong' })
  expect(faults({ cpf: ana.cpf, email: ' ANA@banco.example' })).toEqual({ cpf: 'twice', email: 'twice' })
})

test('hours are typed with a comma or a point, and none is a wait without end', () => {
  expect(['', '48', '0,5', '0.5', 'x', '0'].map(secondsOf)).toEqual([null, 172_800, 1_800, 1_800, 0, 0])
  expect([null, 172_800, 90].map(hoursOf)).toEqual(['', '48', '0.025'])
})

test('24 days are a long wait', () => {
  const waits = [null, 24 * 86_400 - 1, 24 * 86_400].map((seconds) => ({ ...rule, expiresAfterSeconds: seconds }))
  expect(waits.map(isLongWait)).toEqual([false, false, true])
})
