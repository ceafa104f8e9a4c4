import { expect, test } from 'vitest'
import { missingFor } from './xades-level.ts'

// The unsigned properties of each form, as the published policies (PA_AD_*.xml) list them.
const references = ['CompleteCertificateRefs', 'CompleteRevocationRefs']
const values = ['CertificateValues', 'RevocationValues']
const demanded = {
  'AD-RB': [],
  'AD-RT': ['SignatureTimeStamp'],
  'AD-RV': ['SignatureTimeStamp', ...references, 'SigAndRefsTimeStamp'],
  'AD-RC': ['SignatureTimeStamp', ...references, 'SigAndRefsTimeStamp', ...values],
  'AD-RA': [...references, ...values, 'ArchiveTimeStamp'],
} as const

test.each(Object.entries(demanded))('%s lacks whatever of its properties is not there', (form, properties) => {
  const name = form as keyof typeof demanded
  expect(missingFor(name, new Set(properties))).toEqual([])
  for (const absent of properties)
    expect(missingFor(name, new Set(properties.filter((one) => one !== absent)))).toEqual([absent])
})
