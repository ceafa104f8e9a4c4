import { expect, test } from 'vitest'
import { approvalChanges } from './approval-changes.ts'
import type { ApprovalRule } from './approval-rule.ts'
import { listed, toldIn } from './sentences.ts'

const ana = { name: 'Ana Souza', email: 'ana@banco.example', cpf: '52998224725' }
const bruno = { name: 'Bruno Lima', email: 'bruno@banco.example', cpf: '11144477735' }

const rule: ApprovalRule = {
  minimumApprovers: 1,
  expiresAfterSeconds: null,
  signers: 'ProfileKey',
  approvers: [ana],
}

const told = (before: ApprovalRule | null, after: ApprovalRule | null) => {
  const { text, told } = listed(approvalChanges(before, after))
  return [text, toldIn('pt-BR', text, told)]
}

test('a rule that is set tells who may approve and how many must', () => {
  const set = { ...rule, expiresAfterSeconds: 216_000, signers: 'Approvers', approvers: [ana, bruno] } as const
  expect(told(null, set)).toEqual([
    'approvals needed: 1 of 2, files wait 2.12:00:00 (before: without end), who signs: the approvers (before: the key of the profile), added Ana Souza <ana@banco.example>, added Bruno Lima <bruno@banco.example>',
    'aprovações necessárias: 1 de 2, os arquivos aguardam 2.12:00:00 (antes: sem prazo), quem assina: os aprovadores (antes: a chave do perfil), acrescentado Ana Souza <ana@banco.example>, acrescentado Bruno Lima <bruno@banco.example>',
  ])
})

test('a rule that is taken away says so, and none is no change', () => {
  expect(told(rule, null)).toEqual(['nobody needs to approve any more', 'ninguém precisa mais aprovar'])
  expect([approvalChanges(null, null), approvalChanges(rule, structuredClone(rule))]).toEqual([[], []])
})

test('an edit tells what is other now, and of a CPF only that it is another', () => {
  const after = { ...rule, minimumApprovers: 2, approvers: [{ ...ana, name: 'Ana B. Souza', cpf: bruno.cpf }, bruno] }
  const [english] = told({ ...rule, approvers: [ana, { ...bruno, email: 'b@banco.example' }] }, after)
  expect(english).toBe(
    'approvals needed: 2 (before: 1), removed Bruno Lima <b@banco.example>, Ana Souza <ana@banco.example> is now Ana B. Souza <ana@banco.example>, another CPF of Ana B. Souza <ana@banco.example>, added Bruno Lima <bruno@banco.example>',
  )
  expect(JSON.stringify(approvalChanges(rule, after))).not.toMatch(/52998224725|11144477735/)
})
