import { readDer } from '../der/der-value.ts'
import { contextConstructed, tags } from '../der/tags.ts'
import { DistinguishedName } from '../x509/distinguished-name.ts'
import { type Inspected, inspected } from './inspected.ts'

/** Encrypted contents of CMS (RFC 5652 §6, RFC 5083), and whether the content is authenticated too. */
const envelopes: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.7.3': 'Encrypted file (CMS EnvelopedData, not authenticated)',
  '1.2.840.113549.1.9.16.1.23': 'Encrypted file (CMS AuthEnvelopedData)',
}

const ciphers: Readonly<Record<string, string>> = {
  '2.16.840.1.101.3.4.1.2': 'AES-128-CBC',
  '2.16.840.1.101.3.4.1.6': 'AES-128-GCM',
  '2.16.840.1.101.3.4.1.42': 'AES-256-CBC',
  '2.16.840.1.101.3.4.1.46': 'AES-256-GCM',
}

export const isEnvelope = (contentType: string): boolean => contentType in envelopes

/** Who can open an encrypted file, and how it is encrypted; nothing is opened. */
export function inspectEnvelope(der: Uint8Array): Inspected {
  const outer = readDer(der).sequence()
  const type = outer.next().oid()
  const fields = outer.next().unwrap().sequence()
  fields.next(tags.integer)
  fields.optional(contextConstructed(0))
  const recipients = fields.next(tags.set).members()
  const content = fields.next(tags.sequence).sequence()
  content.next().oid()
  const cipher = content.next().sequence().next().oid()
  return inspected(
    'enveloped-data',
    envelopes[type]!,
    { recipients: recipients.length, cipher: ciphers[cipher] ?? cipher },
    recipients.map((recipient) => inspectRecipient(recipient.raw)),
  )
}

// KeyTransRecipientInfo is a bare SEQUENCE; the other kinds are tagged [1] and above and name recipients deeper inside.
function inspectRecipient(raw: Uint8Array): Inspected {
  const value = readDer(raw)
  if (value.tag !== tags.sequence) return inspected('recipient', 'Recipient by key agreement or another way', {})
  const fields = value.sequence()
  fields.next(tags.integer)
  const name = fields.next()
  if (name.tag !== tags.sequence)
    return inspected('recipient', 'Recipient by key identifier', { keyIdentifier: name.content.toString('hex') })
  const identity = name.sequence()
  const issuer = new DistinguishedName(identity.next(tags.sequence).raw).toString()
  return inspected('recipient', 'Recipient', { issuer, serialNumber: identity.next().integer().toString('hex') })
}
