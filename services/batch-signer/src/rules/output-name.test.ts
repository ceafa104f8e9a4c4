import { expect, test } from 'vitest'
import { outputName } from './output-name.ts'

const plain = { preserveFileExtension: false, saveAsPem: false, encrypted: false } as const

test.each([
  ['Pades', {}, 'a.pdf', 'a.signed.pdf'],
  ['Pades', { preserveFileExtension: true }, 'a.PDF', 'a.signed.pdf'],
  ['Pades', {}, 'contract', 'contract.signed.pdf'],
  ['Cades', {}, 'a.ext', 'a.ext.p7m'],
  ['Cades', { saveAsPem: true }, 'a.ext', 'a.ext.pem'],
  ['Cades', { preserveFileExtension: true }, 'a.ext', 'a.signed.ext'],
  ['Cades', { preserveFileExtension: true, saveAsPem: true }, 'a.ext', 'a.signed.ext'],
  ['Cades', { preserveFileExtension: true }, 'a.tar.gz', 'a.tar.signed.gz'],
  ['Cades', { preserveFileExtension: true }, 'contract', 'contract.signed'],
  ['Cades', { preserveFileExtension: true }, '.profile', '.profile.signed'],
  ['Xades', {}, 'a.txt', 'a.signed.xml'],
  ['Xades', { preserveFileExtension: true }, 'a.nfe', 'a.signed.nfe'],
  ['Pades', { encrypted: true }, 'a.pdf', 'a.signed.pdf.enc'],
  ['Cades', { encrypted: true, saveAsPem: true }, 'a.ext', 'a.ext.pem.enc'],
] as const)('%s with %o calls the output of %s %s', (format, options, fileName, expected) => {
  expect(outputName(fileName, { ...plain, ...options, format })).toBe(expected)
})
