import { cachedKeys, demoHolders, startDemoPki } from '@chancela/testkit/demo-pki'
import { openssl } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { certificateName } from './certificate-name.ts'

test('a certificate is named by its holder and its last day, as openssl reads them', async () => {
  const demo = await startDemoPki({ keys: cachedKeys() })
  onTestFinished(() => demo.stop())
  for (const { label } of demoHolders) {
    const pem = demo.pki.certificate(label).x509.toString()
    const read = await openssl(
      ['x509', '-noout', '-subject', '-enddate', '-dateopt', 'iso_8601', '-nameopt', 'multiline,utf8,-esc_msb'],
      { input: pem },
    )
    const { holder, notAfter } = certificateName(pem)!
    expect(read.text).toContain(`commonName                = ${holder}`)
    expect(read.text).toContain(`notAfter=${notAfter.replace('T', ' ')}`)
  }
})

test.each([
  'no PEM',
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
  '-----BEGIN CERTIFICATE-----\n!!!\n-----END CERTIFICATE-----',
])('%j has no name', (pem) => {
  expect(certificateName(pem)).toBeUndefined()
})
