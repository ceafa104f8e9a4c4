import { expect, test } from 'vitest'
import { inMemory, openSigningWorld, seed, signThrough } from './test-support/signing-world.ts'

test.each([
  [{}, 'pay.rem.p7m', 'DER'],
  [{ SaveAsPem: true }, 'pay.rem.pem', 'PEM'],
  [{ PreserveFileExtension: true }, 'pay.signed.rem', 'DER'],
  [{ PreserveFileExtension: true, SaveAsPem: true }, 'pay.signed.rem', 'PEM'],
  [{ EncryptionCertificateFiles: ['ana-souza.pem'] }, 'pay.rem.p7m.enc', 'DER'],
] as const)('a profile with %o names its output %s and writes it as %s', async (options, name, encoding) => {
  const world = await openSigningWorld({ seeds: [seed('named', { Format: 'Cades', ...options })] })
  const plan = world.profiles.plan({ profileName: 'named', format: 'Cades', encryptionRequested: null })
  expect(plan.outputName('pay.rem')).toBe(name)
  const output = await signThrough(world, { profile: 'named', format: 'Cades' }, inMemory(Buffer.from('remittance')))
  expect(output.toString('latin1', 0, 10)).toMatch(encoding === 'PEM' ? /^-----BEGIN/ : /^0\x82/)
})
