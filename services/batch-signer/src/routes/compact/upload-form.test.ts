import { describe, expect, test } from 'vitest'
import { requireAllowedExtension, uploadRequest } from './upload-form.ts'

const request = (fields: Record<string, string>) => uploadRequest(new Map(Object.entries(fields)))

describe('the parts of a compact upload', () => {
  test('ask for nothing when they are absent, empty or Auto', () => {
    expect(request({})).toStrictEqual({})
    expect(request({ signatureFormat: 'Auto', encryptionEnabled: '', externalReference: ' ' })).toStrictEqual({})
  })

  test('ask for a format, encryption and a reference', () => {
    expect(
      request({ signatureFormat: 'cades', encryptionEnabled: 'False', externalReference: 'Pedido nº 7' }),
    ).toStrictEqual({ format: 'Cades', encryptionRequested: false, externalReference: 'Pedido nº 7' })
  })

  test.each([
    [{ signatureFormat: 'Jades' }, 'upload.format-unsupported'],
    [{ encryptionEnabled: 'yes' }, 'request.invalid'],
  ])('refuse %j', (fields, code) => {
    expect(() => request(fields as Record<string, string>)).toThrow(expect.objectContaining({ code, status: 400 }))
  })
})

describe('the extension of a compact upload', () => {
  const check = (fileName: string, allowed: readonly string[]) => () => requireAllowedExtension(fileName, allowed)

  test('is compared without case, with or without a dot in the setting', () => {
    expect(check('Nota.PDF', ['.pdf'])).not.toThrow()
    expect(check('nota.pdf', ['PDF'])).not.toThrow()
  })

  test('is refused when it is not listed or not there', () => {
    const refused = expect.objectContaining({ code: 'upload.extension-unsupported', status: 400 })
    expect(check('nota.exe', ['.pdf'])).toThrow(refused)
    expect(check('nota.pdf.exe', ['.pdf'])).toThrow(refused)
    expect(check('nota', ['.pdf'])).toThrow(refused)
  })

  test('may be any when the list is empty', () => {
    expect(check('nota', [])).not.toThrow()
  })
})
