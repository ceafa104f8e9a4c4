// Envelopes (`.enc`): content that only the holders of some certificates can read, and nobody can change unnoticed.
//
//   const { bytes, warnings } = encryptTo([certificate], createReadStream('a.pdf'), { now: new Date(), size })
//   await decryptToFile(await openPkcs12(file, password), createReadStream('a.pdf.enc'), 'a.pdf')
export type { Bytes } from './bytes.ts'
export { type DecryptInMemoryOptions, type DecryptOptions, decryptToFile, decryptWith } from './decrypt.ts'
export { type EncryptOptions, encryptTo, encryptToFile, type SealedEnvelope } from './encrypt.ts'
export type { OpeningKey } from './open-recipient.ts'
export { type RecipientWarning, type RsaPadding, recipientWarnings } from './recipients.ts'
