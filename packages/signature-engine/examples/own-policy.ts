import { readFile } from 'node:fs/promises'
import { TrustAnchors } from '@chancela/signature-engine/judgement'
import { readValidationPolicy, verify } from '@chancela/signature-engine/verify'
import { readCertificates } from '@chancela/signature-engine/x509'

// As JSON in a file, for example. What is left out is as usual; a field with a typing error is refused by its name.
const policy = readValidationPolicy({
  name: 'contracts of the house',
  digests: { sha256: null, sha384: null, sha512: null }, // or until when: '2030-01-01T00:00:00Z'
  keys: { rsa: [{ bits: 3072, until: null }], ec: [{ bits: 256, until: null }] },
  timestamps: { required: true },
  findings: { 'signing-time-implausible': 'error' },
})

const anchors = TrustAnchors.of(readCertificates(await readFile('roots.pem')))
const report = await verify(await readFile('contract.signed.pdf'), { anchors, now: new Date(), policy })

console.log(report.validationPolicy, report.indication) // no policy makes a broken signature valid
