import { expect, test } from 'vitest'
import { signingWays } from './signing-ways.ts'

const action = {
  allowCertificate: true,
  allowCloudCertificate: false,
  allowToken: false,
  allowElectronicSignature: false,
  participant: { name: 'Ana', identifier: '52998224725' as string | null, email: 'ana@example.com' },
}
const nobody = { ...action.participant, identifier: null }

test('a certificate in a file can always be used', () => {
  expect(signingWays(action)).toEqual(['file'])
})

test('who is known by a CPF is offered certificates first', () => {
  expect(signingWays({ ...action, allowCloudCertificate: true, allowElectronicSignature: true })).toEqual([
    'file',
    'cloud',
    'electronic',
  ])
})

test('a token is offered where the instance can ask computers', () => {
  expect(signingWays({ ...action, allowToken: true })).toEqual(['file', 'token'])
})

test('who has no CPF is offered to sign without a certificate first', () => {
  const participant = nobody
  expect(signingWays({ ...action, participant, allowCloudCertificate: true, allowElectronicSignature: true })).toEqual([
    'electronic',
    'file',
    'cloud',
  ])
})
