// Signature fields to be made, from JSON.
import { readCertificates } from '../x509/certificate-files.ts'
import { attributeOid } from '../x509/oids.ts'
import { refusePades } from './errors.ts'
import { type Check, isJsonObject, jsonChecks } from './json-checks.ts'
import type { TemplateFile } from './read-mark-template.ts'
import type { SeedCertificate, SeedValue } from './seed-value.ts'
import type { NewSignatureField } from './signature-fields.ts'

/** Reads fields: the value of JSON, in which certificates are names of their files. */
export function readSignatureFields(json: unknown, fileOf?: TemplateFile): readonly NewSignatureField[] {
  fields(json, '')
  return (json as readonly StoredField[]).map(({ seedValue, ...field }) => ({
    ...field,
    ...(seedValue && { seedValue: withCertificates(seedValue, fileOf) }),
  }))
}

type StoredCertificate = Omit<SeedCertificate, 'subject' | 'issuer'> & {
  readonly subject?: readonly string[]
  readonly issuer?: readonly string[]
}
type StoredSeedValue = Omit<SeedValue, 'cert'> & { readonly cert?: StoredCertificate }
type StoredField = Omit<NewSignatureField, 'seedValue'> & { readonly seedValue?: StoredSeedValue }

const wrong = (member: string, reason: string) => refusePades('pades.field-data', { member, reason })

function withCertificates({ cert, ...seed }: StoredSeedValue, fileOf: TemplateFile | undefined): SeedValue {
  if (!cert) return seed
  const { subject, issuer, ...rest } = cert
  const read = (files: readonly string[]) =>
    files.flatMap((file) => {
      if (!fileOf) throw wrong(file, 'is a file, and no files can be read here')
      return readCertificates(fileOf(file)).map(({ der }) => der)
    })
  return {
    ...seed,
    cert: { ...rest, ...(subject && { subject: read(subject) }), ...(issuer && { issuer: read(issuer) }) },
  }
}

const { object, number, oneOf, pattern, listOf } = jsonChecks(wrong)
const MOST = 1000
const word = pattern(/^.{1,1000}$/s, 'text of 1 to 1000 characters')
const words = listOf(word, MOST)
const truth = oneOf(true, false)
const coordinate = number(-20_000, 20_000)
const changes = oneOf('no-changes', 'form-filling', 'annotations')

/** Texts by the names of attributes. */
const attributes: Check = (value, at) => {
  if (!isJsonObject(value)) throw wrong(at, 'is no object')
  for (const [type, text] of Object.entries(value)) {
    if (attributeOid(type) === undefined) throw wrong(`${at}.${type}`, 'is no attribute of a name')
    word(text, `${at}.${type}`)
  }
}

const fields = listOf(
  object(
    {
      name: word,
      tooltip: word,
      place: object(
        {
          page: (value, at) => {
            if (value !== 'last' && !(Number.isSafeInteger(value) && (value as number) > 0))
              throw wrong(at, 'is no page from 1, or last')
          },
          x: coordinate,
          y: coordinate,
          width: number(1, 20_000),
          height: number(1, 20_000),
          origin: oneOf('bottom-left', 'bottom-right', 'top-left', 'top-right'),
        },
        ['x', 'y', 'width', 'height'],
      ),
      lock: object({ action: oneOf('all', 'include', 'exclude'), fields: words, permits: changes }, ['action']),
      seedValue: object({
        filter: word,
        subFilter: words,
        digestMethod: words,
        reasons: words,
        mdp: oneOf('ordinary', 'no-changes', 'form-filling', 'annotations'),
        timeStamp: object({ url: word, required: truth }, ['url']),
        legalAttestation: words,
        addRevInfo: truth,
        lockDocument: oneOf(true, false, 'auto'),
        cert: object({
          subject: words,
          issuer: words,
          oid: listOf(pattern(/^\d+(\.\d+)+$/, 'object identifier'), MOST),
          subjectDN: listOf(attributes, MOST),
          url: word,
          keyUsage: listOf(pattern(/^[01Xx]{1,9}$/, 'pattern of 0, 1 and X'), MOST),
          required: listOf(oneOf('subject', 'issuer', 'oid', 'subjectDN', 'keyUsage'), MOST),
        }),
        required: listOf(
          oneOf('filter', 'subFilter', 'digestMethod', 'reasons', 'legalAttestation', 'addRevInfo', 'lockDocument'),
          MOST,
        ),
      }),
    },
    ['name'],
  ),
  MOST,
)
